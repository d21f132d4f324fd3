import type { LinkProps } from "@tanstack/react-router";
import { ChartColumn } from "lucide-react";
import type { ReactNode } from "react";
import { analyticsText } from "../messages/en/analytics.ts";
import { fill } from "../messages/fill.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { countText } from "../ui/formats/format.ts";
import { Money } from "../ui/formats/money.tsx";
import { type Column, DataTable } from "../ui/lists/data-table.tsx";
import { changeText, type Line, latencyText, pointsText, rateText } from "./figures.ts";

type Props = {
  readonly lines: readonly Line[];
  /** What a line is: an operator, a circle, and so on. */
  readonly label: string;
  /** The transactions of a line. */
  readonly link: (name: string) => LinkProps;
};

/** The figures of each operator, circle and so on. A row opens its transactions. */
export function BreakdownTable({ lines, label, link }: Props): ReactNode {
  return (
    <DataTable
      label={fill(analyticsText.figuresBy, { dimension: label.toLowerCase() })}
      columns={[{ header: label, cell: (line: Line) => line.label }, ...COLUMNS]}
      rows={lines}
      rowKey={(line) => line.name}
      link={(line) => link(line.name)}
      empty={<EmptyState icon={ChartColumn}>{analyticsText.figuresWillAppearHereAbout}</EmptyState>}
    />
  );
}

const COLUMNS: readonly Column<Line>[] = [
  {
    header: analyticsText.transactions,
    right: true,
    cell: ({ current, previous }) => withChange(countText(current.orders), changeText(current.orders, previous.orders)),
  },
  {
    header: analyticsText.successRate,
    right: true,
    cell: ({ current, previous }) => withChange(rateText(current.success_rate), pointsText(current.success_rate, previous.success_rate)),
  },
  {
    header: analyticsText.value,
    right: true,
    wideOnly: true,
    cell: ({ current, previous }) => withChange(<Money value={current.value} />, changeText(Number(current.value), Number(previous.value))),
  },
  { header: analyticsText.failed, right: true, wideOnly: true, cell: ({ current }) => countText(current.failed) },
  { header: analyticsText.reversed, right: true, wideOnly: true, cell: ({ current }) => countText(current.reversed) },
  { header: analyticsText.median, right: true, wideOnly: true, cell: ({ current }) => latencyText(current.median_ms) },
  { header: analyticsText.within95, right: true, wideOnly: true, cell: ({ current }) => latencyText(current.p95_ms) },
];

function withChange(value: ReactNode, change: string | null): ReactNode {
  return (
    <span className="block">
      {value}
      {change !== null && <span className="block text-soft text-xs">{change}</span>}
    </span>
  );
}
