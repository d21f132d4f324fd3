import type { OrdersContext } from "../context.ts";
import type { Order } from "../order.ts";
import { findById } from "../store.ts";
import { claimDuePolls, deferPolls, type PendingPoll, renewLeases } from "./pending-poll-store.ts";
import { logPollFault, pollOrder } from "./poll-orders.ts";

/** The polls of one process. */
export type OrderPolls = {
  /** Claims the orders that are due and starts to ask their providers. Returns how many were due, without waiting for the answers. */
  readonly start: () => Promise<number>;
  /** Resolves when no poll is in flight. */
  readonly drained: () => Promise<void>;
};

const CLAIMED_AT_ONCE = 50;
const MAX_CLAIMS = 20;
// A provider that does not answer uses up its own slots, and no order of another provider waits for it.
const SLOTS_OF_PROVIDER = 25;
// When an order is looked at again whose provider had no free slot.
const DEFERRED_MILLISECONDS = 30_000;
// When an order is looked at again that a hint has made due while it was asked about.
const AFTER_HINT_MILLISECONDS = 1_000;

export function createOrderPolls(ctx: OrdersContext): OrderPolls {
  const inFlight = new Map<string, { readonly poll: PendingPoll; readonly ended: Promise<void> }>();
  const slotsUsed = new Map<string, number>();

  /** False if the provider has no free slot. */
  function startPoll(poll: PendingPoll, order: Order | null): boolean {
    const provider = order?.provider ?? "";
    const used = slotsUsed.get(provider) ?? 0;
    if (used >= SLOTS_OF_PROVIDER) return false;
    slotsUsed.set(provider, used + 1);
    const ended = pollOrder(ctx, poll, order).finally(() => {
      inFlight.delete(poll.orderId);
      slotsUsed.set(provider, (slotsUsed.get(provider) ?? 1) - 1);
    });
    inFlight.set(poll.orderId, { poll, ended });
    return true;
  }

  async function startDue(): Promise<number> {
    const due = await claimDuePolls(ctx.sql, ctx.clock.now(), CLAIMED_AT_ONCE);
    const hinted = due.filter(({ orderId }) => inFlight.has(orderId));
    await deferPolls(ctx.sql, hinted, ctx.clock.now() + AFTER_HINT_MILLISECONDS);
    const idle = due.filter((poll) => !hinted.includes(poll));
    const orders = await Promise.all(idle.map((poll) => findOrder(ctx, poll)));
    const deferred = idle.filter((poll, place) => {
      const order = orders[place];
      return order !== undefined && !startPoll(poll, order);
    });
    await deferPolls(ctx.sql, deferred, ctx.clock.now() + DEFERRED_MILLISECONDS);
    return due.length;
  }

  return {
    start: async () => {
      // A provider may take longer than a lease.
      await renewLeases(
        ctx.sql,
        [...inFlight.values()].map(({ poll }) => poll),
        ctx.clock.now(),
      );
      let count = 0;
      for (let claims = 0; claims < MAX_CLAIMS; claims++) {
        const due = await startDue();
        count += due;
        if (due < CLAIMED_AT_ONCE) break;
      }
      return count;
    },
    drained: async () => void (await Promise.all([...inFlight.values()].map(({ ended }) => ended))),
  };
}

/** Undefined if the order could not be read. */
async function findOrder(ctx: OrdersContext, poll: PendingPoll): Promise<Order | null | undefined> {
  try {
    return await findById(ctx.sql, poll.orderId, poll.accountId);
  } catch (error) {
    logPollFault(ctx, poll, error);
    return undefined;
  }
}

/** Polls all orders that are due and waits for the answers. Returns the number that was due. */
export async function pollOrders(ctx: OrdersContext): Promise<number> {
  const polls = createOrderPolls(ctx);
  const due = await polls.start();
  await polls.drained();
  return due;
}
