import type { Metrics } from "../platform/observability/metrics.ts";
import type { Cells } from "./cells.ts";

/** Whether each cell works and how many accounts it has. Only with several cells. */
export function measureCells(metrics: Metrics, cells: Cells, configured: readonly number[]): void {
  const up = () => {
    const troubled = new Set(cells.troubles().map(([cell]) => cell));
    return [0, ...configured].map((cell) => [String(cell), troubled.has(cell) ? 0 : 1] as const);
  };
  metrics.labelledGauge(
    "corprail_cell_up",
    "1 if the cell's database accepts writes, 0 if its accounts are stalled. Cell 0 is home.",
    "cell",
    up,
    "max",
  );
  const accounts = () => cells.all().map(({ cell, directory }) => [String(cell), directory.size()] as const);
  metrics.labelledGauge("corprail_cell_accounts", "Accounts in the cell. Cell 0 is home.", "cell", accounts, "max");
}
