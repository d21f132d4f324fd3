import { BriefcaseBusiness, RadioTower } from "lucide-react";
import type { ReactNode } from "react";
import { classes } from "../../ui/classes.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { countText } from "../../ui/formats/format.ts";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { Card } from "../../ui/page.tsx";
import type { Counts, Operator, Provider, ProviderCounts } from "./data.ts";

const PROVIDERS: readonly Column<Provider>[] = [
  { header: "Provider", cell: (row) => row.provider },
  { header: "Last 15 min", right: true, cell: (row) => <Rate counts={row.last_15m} of={attempted(row.last_15m)} /> },
  { header: "Last hour", right: true, cell: (row) => <Rate counts={row.last_1h} of={attempted(row.last_1h)} /> },
  { header: "Passed on", right: true, cell: (row) => countText(row.last_1h.passed_on), wideOnly: true },
  { header: "Median time", right: true, cell: (row) => <Median counts={row.last_1h} />, wideOnly: true },
];

const OPERATORS: readonly Column<Operator>[] = [
  { header: "Operator", cell: (row) => row.name },
  { header: "Last 15 min", right: true, cell: (row) => <Rate counts={row.last_15m} of={decided(row.last_15m)} /> },
  { header: "Last hour", right: true, cell: (row) => <Rate counts={row.last_1h} of={decided(row.last_1h)} /> },
  { header: "Pending", right: true, cell: (row) => countText(row.last_1h.pending), wideOnly: true },
  { header: "Median time", right: true, cell: (row) => <Median counts={row.last_1h} />, wideOnly: true },
];

export function ProvidersCard({ providers }: { readonly providers: readonly Provider[] }): ReactNode {
  return (
    <Card title="Success by provider" hint="Attempts passed on to another provider count as failures." flush>
      <DataTable
        label="Success by provider"
        columns={PROVIDERS}
        rows={providers}
        rowKey={(row) => row.provider}
        empty={<EmptyState icon={BriefcaseBusiness}>Providers will appear here with the first order of the hour.</EmptyState>}
      />
    </Card>
  );
}

export function OperatorsCard({ operators }: { readonly operators: readonly Operator[] }): ReactNode {
  return (
    <Card title="Success by operator" hint="Median time is the time to final of half of the orders." flush>
      <DataTable
        label="Success by operator"
        columns={OPERATORS}
        rows={operators}
        rowKey={(row) => row.operator}
        empty={<EmptyState icon={RadioTower}>Operators will appear here with the first order of the hour.</EmptyState>}
      />
    </Card>
  );
}

function decided({ success, failed }: Counts): number {
  return success + failed;
}

function attempted(counts: ProviderCounts): number {
  return decided(counts) + counts.passed_on;
}

// Success rates that are shown as good and as poor.
const [GOOD, POOR] = [0.9, 0.7];

function Rate({ counts: { success, success_rate: rate }, of }: { readonly counts: Counts; readonly of: number }): ReactNode {
  if (rate === null) return <span className="text-soft">–</span>;
  const tone = rate >= GOOD ? "text-good" : rate >= POOR ? "text-wait" : "text-bad";
  return (
    <span className="inline-flex flex-col items-end tabular-nums">
      <span className={classes("font-medium", tone)}>{`${(rate * 100).toFixed(rate === 1 ? 0 : 1)} %`}</span>
      <span className="whitespace-nowrap text-soft text-xs">
        {countText(success)} of {countText(of)}
      </span>
    </span>
  );
}

function Median({ counts: { median_ms: median } }: { readonly counts: Counts }): ReactNode {
  if (median === null) return <span className="text-soft">–</span>;
  return <span className="whitespace-nowrap tabular-nums">{median < 1000 ? `${median} ms` : secondsText(median / 1000)}</span>;
}

function secondsText(seconds: number): string {
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds / 60)} min`;
}
