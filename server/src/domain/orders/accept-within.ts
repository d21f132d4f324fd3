import type { Transaction } from "../../platform/db/connection.ts";
import { failure } from "../../platform/db/database-errors.ts";
import { boundLockWaits, lockWallets } from "../ledger/store.ts";
import type { Refusal } from "../shared/refusals.ts";
import type { OrdersContext } from "./context.ts";
import { applyIn } from "./locked-write.ts";
import type { Accept, Written } from "./operations.ts";
import type { Order } from "./order.ts";
import { findByReferences } from "./store.ts";
import { withRetries } from "./with-retries.ts";

/**
 * What a service checks and changes in the transaction that accepts its order, while the account's wallet is locked:
 * so nothing else of the account is accepted meanwhile. A refusal makes no order, but what was written stands.
 */
export type Within = (tx: Transaction, order: Order) => Promise<Refusal | null>;

/** Thin money undoes what `within` has written. */
class NotCovered extends Error {}

/** Accepts an order together with what its service keeps of it. Running it again after a lost reply finds what the first run did. */
export async function acceptWithin(ctx: OrdersContext, operation: Accept, within: Within): Promise<Written | Refusal> {
  const { accountId } = operation.order;
  const leave = await enter(ctx, accountId);
  try {
    return await withRetries(ctx.log, () => ctx.sql.begin((tx) => acceptIn(ctx, tx, operation, within)));
  } catch (error) {
    if (error instanceof NotCovered) return { kind: "thin" };
    throw error;
  } finally {
    leave();
  }
}

const ENTER_MILLISECONDS = 3_000;
const LOCK_MILLISECONDS = 700;

/** Waits until the account has fewer under way. Fails like a lock that is not given in time. */
async function enter({ open: { accepts }, writer }: OrdersContext, accountId: string): Promise<() => void> {
  if (!writer.isBlocked(accountId) && (await accepts.enter(accountId, ENTER_MILLISECONDS))) return () => accepts.leave(accountId);
  throw failure("55P03", "Too much of this account waits for its wallet.");
}

async function acceptIn(ctx: OrdersContext, tx: Transaction, operation: Accept, within: Within): Promise<Written | Refusal> {
  const { order } = operation;
  await boundLockWaits(tx, LOCK_MILLISECONDS);
  await lockWallets(tx, [order.accountId]);
  // A known reference comes before whatever the service has to say.
  const [known] = await findByReferences(tx, [order]);
  if (!known) {
    const refusal = await within(tx, order);
    if (refusal) return refusal;
  }
  const [written] = await applyIn(tx, [operation], ctx.clock.now(), ctx.processId);
  if (!written) throw new Error(`The order ${order.orderId} was not decided.`);
  if (written.kind === "thin") throw new NotCovered();
  return written;
}
