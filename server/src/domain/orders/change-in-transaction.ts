import type { Transaction } from "../../platform/db/connection.ts";
import type { ManualChangeContext } from "./change-manually.ts";
import type { OrdersContext } from "./context.ts";
import { writeLocked } from "./write/locked-write.ts";

/** The context of a manual change that commits with the caller's transaction. The caller wakes the callback delivery afterwards. */
export function changeInTransaction(orders: OrdersContext, tx: Transaction, at: Date): ManualChangeContext {
  const write: ManualChangeContext["writer"]["write"] = async (operation) => {
    const [written] = await writeLocked(tx, [operation], at.getTime(), orders.processId);
    if (!written) throw new Error("The change of an order was not answered.");
    return written;
  };
  return { sql: tx, clock: orders.clock, ids: orders.ids, writer: { write }, wakeCallbacks: () => {} };
}
