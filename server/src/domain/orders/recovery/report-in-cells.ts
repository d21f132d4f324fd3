import { cellOfId } from "../../../platform/core/ids.ts";
import { failure as outage } from "../../../platform/db/database-errors.ts";
import type { CallbackRefusalReason } from "../../providers/callbacks/refused-callback.ts";
import type { Report } from "../../providers/connector.ts";
import type { OrdersContext } from "../context.ts";
import { applyReport } from "./apply-finding.ts";

type ReachedCells = {
  readonly cells: readonly OrdersContext[];
  /** False while a configured cell has not been reached since the start. */
  readonly isComplete: boolean;
};

/** Applies a report to the order that it names, which the cells are searched for. The cell in the order's id comes first. */
export async function applyReportInCells(
  { cells, isComplete }: ReachedCells,
  report: Report,
  provider: string,
): Promise<CallbackRefusalReason | null> {
  const [home, ...others] = cells;
  if (home === undefined || (others.length === 0 && isComplete))
    return home ? await applyReport(home, report, provider) : "unknown_reference";
  const subject = (await home.references.subjectOf(provider, report.reference).catch(() => null)) ?? report.reference;
  const own = cells.find(({ ids }) => cellOfId(ids.order(0)) === cellOfId(subject));
  let failure: unknown = null;
  for (const ctx of [...(own ? [own] : []), ...cells.filter((one) => one !== own)]) {
    try {
      const reason = await applyReport(ctx, report, provider);
      if (reason !== "unknown_reference") return reason;
    } catch (error) {
      // The order may be in another cell that works. If it is not, the provider has to send the report again.
      failure ??= error;
    }
  }
  if (failure !== null) throw failure;
  // A provider does not repeat a report of an unknown order, and nobody polls for the reversal of a success.
  if (!isComplete) throw outage("CONNECTION_NO_LEADER", "The order may be in a cell that has not answered since this process started.");
  return "unknown_reference";
}
