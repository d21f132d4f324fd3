import { useQuery } from "@tanstack/react-query";
import { ChartColumn } from "lucide-react";
import type { ReactNode } from "react";
import { homeText } from "../../messages/en/home.ts";
import { serverText } from "../../messages/server-text.ts";
import { Chart, type Series } from "../../ui/charts/chart.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { countText } from "../../ui/formats/format.ts";
import { Card } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { firstCallCode } from "../first-call.ts";
import { chartsQuery, type HomeCharts } from "./data.ts";

const STATUSES: readonly Series[] = [
  { key: "success", label: homeText.success, tone: "good" },
  { key: "failed", label: homeText.failed, tone: "bad" },
  { key: "pending", label: homeText.pending, tone: "wait" },
];
const TIMES: readonly Series[] = [{ key: "count", label: homeText.transactions, tone: "accent" }];
const format = (value: number | string) => countText(Number(value));

export function Charts(): ReactNode {
  const { data, error, refetch } = useQuery(chartsQuery);
  if (error && data === undefined) return <ErrorCard error={error} onRetry={() => void refetch()} />;
  if (data !== undefined && isEmpty(data)) {
    return (
      <Card title={homeText.theLast24Hours}>
        <EmptyState icon={ChartColumn} code={firstCallCode()} codeTitle={homeText.aFirstRecharge}>
          {homeText.transactionsOfTheLast24}
        </EmptyState>
      </Card>
    );
  }
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <Card>
        {data === undefined ? (
          <ChartSkeleton />
        ) : (
          <Chart
            title={homeText.transactionsPerHour}
            kind="bars"
            x="at"
            xLabel={homeText.hourIst}
            series={STATUSES}
            points={data.per_hour.map((hour) => ({ ...hour, at: hour.at.slice(11, 16) }))}
            format={format}
          />
        )}
      </Card>
      <Card>
        {data === undefined ? (
          <ChartSkeleton />
        ) : (
          <Chart
            title={homeText.timeToFinal}
            kind="bars"
            x="bucket"
            xLabel={homeText.finalWithin}
            series={TIMES}
            points={data.time_to_final.map(({ bucket, count }) => ({ bucket: serverText(bucket).replace(/^within /, ""), count }))}
            format={format}
          />
        )}
      </Card>
    </div>
  );
}

function isEmpty({ per_hour }: HomeCharts): boolean {
  return per_hour.every((hour) => hour.success + hour.failed + hour.pending === 0);
}

/** Has the height of a chart with its caption. */
function ChartSkeleton(): ReactNode {
  return (
    <div className="space-y-2">
      <div className="flex h-10 items-center">
        <Skeleton className="max-w-40" />
      </div>
      <Skeleton className="h-64" />
    </div>
  );
}
