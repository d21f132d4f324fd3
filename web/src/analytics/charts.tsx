import type { ReactNode } from "react";
import { analyticsText } from "../messages/en/analytics.ts";
import { Chart, type Series } from "../ui/charts/chart.tsx";
import { countText, shortDay } from "../ui/formats/format.ts";
import { Card } from "../ui/page.tsx";
import { type Analytics, everyPoint, latencyText } from "./figures.ts";

const STATES: readonly Series[] = [
  { key: "success", label: analyticsText.success, tone: "good" },
  { key: "failed", label: analyticsText.failedOrReversed, tone: "bad" },
  { key: "pending", label: analyticsText.pending, tone: "wait" },
];
const TIMES: readonly Series[] = [
  { key: "median", label: analyticsText.median, tone: "accent" },
  { key: "p95", label: analyticsText.within95, tone: "wait" },
];

/** Counts and times over the period, by hour or by day. */
export function AnalyticsCharts({ data }: { readonly data: Analytics }): ReactNode {
  const { interval, from, to } = data;
  const points = everyPoint(data);
  const day = (text: string) => (interval === "hour" && from === to ? "" : shortDay(text.slice(0, 10)));
  const at = (text: string) => (interval === "hour" ? `${day(text)} ${text.slice(11, 16)}`.trim() : day(text));
  const xLabel = interval === "hour" ? analyticsText.hourIst : analyticsText.dayIst;
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <Card>
        <Chart
          title={interval === "hour" ? analyticsText.transactionsPerHour : analyticsText.transactionsPerDay}
          kind="bars"
          x="at"
          xLabel={xLabel}
          series={STATES}
          points={points.map((point) => ({
            at: at(point.at),
            success: point.success,
            failed: point.failed + point.reversed,
            pending: point.pending,
          }))}
          format={(value) => countText(Number(value))}
        />
      </Card>
      <Card>
        <Chart
          title={analyticsText.timeToTheFinalStatus}
          kind="line"
          x="at"
          xLabel={xLabel}
          series={TIMES}
          points={points
            .filter((point) => point.median_ms !== null)
            .map((point) => ({ at: at(point.at), median: point.median_ms ?? 0, p95: point.p95_ms ?? 0 }))}
          format={(value) => latencyText(Number(value))}
          tick={latencyText}
        />
      </Card>
    </div>
  );
}
