import type { ReactNode } from "react";
import { Chart, type Series } from "../../ui/charts/chart.tsx";
import { countText } from "../../ui/formats/format.ts";
import { Card } from "../../ui/page.tsx";
import type { Overview } from "./data.ts";

const STATUSES: readonly Series[] = [
  { key: "success", label: "Success", tone: "good" },
  { key: "failed", label: "Failed", tone: "bad" },
  { key: "pending", label: "Pending", tone: "wait" },
];
const AGES: readonly Series[] = [{ key: "orders", label: "Orders", tone: "wait" }];
const format = (value: number | string) => countText(Number(value));

export function Charts({ overview }: { readonly overview: Overview }): ReactNode {
  const { pending } = overview;
  return (
    <div className="grid gap-4 xl:grid-cols-[3fr_2fr]">
      <Card>
        <Chart
          title="Orders per minute, the last hour"
          kind="bars"
          x="at"
          xLabel="Minute (IST)"
          series={STATUSES}
          points={overview.minutes.map((minute) => ({ ...minute, at: minute.at.slice(11, 16) }))}
          format={format}
        />
      </Card>
      <Card>
        <Chart
          title="Pending by age"
          kind="bars"
          x="age"
          xLabel="Pending for"
          series={AGES}
          points={[
            { age: "up to 1 m", orders: pending.under_1m },
            { age: "1–10 m", orders: pending.under_10m },
            { age: "10–60 m", orders: pending.under_1h },
            { age: "over 1 h", orders: pending.over_1h },
          ]}
          format={format}
        />
      </Card>
    </div>
  );
}
