import { useQuery } from "@tanstack/react-query";
import { ChartColumn } from "lucide-react";
import type { ReactNode } from "react";
import { Chart, type Series } from "../../ui/chart.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { countText } from "../../ui/format.ts";
import { Card } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { firstCallCode } from "../first-call.ts";
import { chartsQuery, type HomeCharts } from "./data.ts";

const STATUSES: readonly Series[] = [
  { key: "success", label: "Success", tone: "good" },
  { key: "failed", label: "Failed", tone: "bad" },
  { key: "pending", label: "Pending", tone: "wait" },
];
const TIMES: readonly Series[] = [{ key: "count", label: "Transactions", tone: "accent" }];
const format = (value: number | string) => countText(Number(value));

export function Charts(): ReactNode {
  const { data, error, refetch } = useQuery(chartsQuery);
  if (error && data === undefined) return <ErrorCard error={error} onRetry={() => void refetch()} />;
  if (data !== undefined && isEmpty(data)) {
    return (
      <Card title="The last 24 hours">
        <EmptyState icon={ChartColumn} code={firstCallCode()} codeTitle="A first recharge">
          Transactions of the last 24 hours will appear here, per hour and by time to final. Make a first recharge to see them.
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
            title="Transactions per hour"
            kind="bars"
            x="at"
            xLabel="Hour (IST)"
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
            title="Time to final"
            kind="bars"
            x="bucket"
            xLabel="Final within"
            series={TIMES}
            points={data.time_to_final.map(({ bucket, count }) => ({ bucket: bucket.replace(/^within /, ""), count }))}
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
