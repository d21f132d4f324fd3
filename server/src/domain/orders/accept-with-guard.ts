import type { Transaction } from "../../platform/db/connection.ts";
import { failure } from "../../platform/db/database-errors.ts";
import { boundLockWaits, lockWallets } from "../ledger/store.ts";
import type { Refusal } from "../shared/refusals.ts";
import type { OrdersContext } from "./context.ts";
import type { Order } from "./order.ts";
import { findByReferences } from "./store.ts";
import { writeLocked } from "./write/locked-write.ts";
import type { Accept, Written } from "./write/operations.ts";
import { withRetries } from "./write/with-retries.ts";

/**
 * A service's own check and writes, run in the transaction that accepts its order while the account's wallet is locked.
 * A refusal creates no order, but everything the guard has written is committed.
 */
export type AcceptGuard = (tx: Transaction, order: Order) => Promise<Refusal | null>;

/** Rolls the transaction back, so that nothing the guard has written remains when the money does not suffice. */
class InsufficientFunds extends Error {}

/** Accepts an order together with its service's own writes. A second run after a lost reply finds what the first one wrote. */
export async function acceptWithGuard(ctx: OrdersContext, operation: Accept, guard: AcceptGuard): Promise<Written | Refusal> {
  const { accountId } = operation.order;
  const leave = await enterQueue(ctx, accountId);
  try {
    return await withRetries(ctx.log, () => ctx.sql.begin((tx) => acceptInTransaction(ctx, tx, operation, guard)));
  } catch (error) {
    if (error instanceof InsufficientFunds) return { kind: "insufficient funds" };
    throw error;
  } finally {
    leave();
  }
}

const ENTER_MILLISECONDS = 3_000;
const LOCK_MILLISECONDS = 700;

/** Waits until fewer orders of the account are being accepted. Fails like a lock timeout. */
async function enterQueue({ inProgress: { accepts }, writer }: OrdersContext, accountId: string): Promise<() => void> {
  if (!writer.isBlocked(accountId) && (await accepts.enter(accountId, ENTER_MILLISECONDS))) return () => accepts.leave(accountId);
  throw failure("55P03", "Too many orders of this account are waiting for its wallet.");
}

async function acceptInTransaction(ctx: OrdersContext, tx: Transaction, operation: Accept, guard: AcceptGuard): Promise<Written | Refusal> {
  const { order } = operation;
  await boundLockWaits(tx, LOCK_MILLISECONDS);
  await lockWallets(tx, [order.accountId]);
  // A reference that already has an order is answered with it, whatever the guard would say.
  const [known] = await findByReferences(tx, [order]);
  if (!known) {
    const refusal = await guard(tx, order);
    if (refusal) return refusal;
  }
  const [written] = await writeLocked(tx, [operation], ctx.clock.now(), ctx.processId);
  if (!written) throw new Error(`The order ${order.orderId} was not decided.`);
  if (written.kind === "insufficient funds") throw new InsufficientFunds();
  return written;
}
