import type { OrdersContext } from "../../../domain/orders/context.ts";
import type { Operation, Written } from "../../../domain/orders/write/operations.ts";
import type { Connector, Outcome } from "../../../domain/providers/connector.ts";
import { type Money, NO_MONEY } from "../../../platform/core/money.ts";

/** A fault that is planted on purpose, to show that the simulation would find it. */
export type Bug = {
  readonly name: string;
  readonly what: string;
  /** The simulation must find it within this many steps. */
  readonly withinSteps: number;
  /** Replaces a part of the orders' context. */
  readonly orders?: (ctx: OrdersContext) => OrdersContext;
  /** Replaces a text in one of the database's functions. */
  readonly sql?: { readonly file: string; readonly from: string; readonly to: string };
  /** The orders of dead processes are not looked for. */
  readonly withoutRecovery?: boolean;
  /** A periodic job that is not run. */
  readonly withoutJob?: string;
  /** Due times are not corrected after the clock was set. */
  readonly withoutRepair?: boolean;
  /** A quiet process does not check for due work. */
  readonly withoutCheck?: boolean;
};

type Write = (operation: Operation) => Promise<Written>;

function withWriter(wrap: (write: Write) => Write): (ctx: OrdersContext) => OrdersContext {
  return (ctx) => ({ ...ctx, writer: { ...ctx.writer, write: wrap(ctx.writer.write) } });
}

function withSend(change: (send: () => Promise<Outcome>) => Promise<Outcome>): (ctx: OrdersContext) => OrdersContext {
  return (ctx) => {
    const connector = (name: string): Connector | null => {
      const real = ctx.providerRegistry.connector(name);
      return real && { ...real, send: (...request) => change(() => real.send(...request)) };
    };
    return { ...ctx, providerRegistry: { ...ctx.providerRegistry, connector } };
  };
}

const resendAfterUnknown = withSend(async (send) => {
  const outcome = await send();
  return outcome.kind === "unknown" ? await send() : outcome;
});

const unknownIsFailure = withSend(async (send) => {
  const outcome = await send();
  return outcome.kind === "unknown" ? { kind: "declined", reason: "no answer", decline: "final" } : outcome;
});

const holdNotReleased = withWriter((write) => (operation) => {
  if (operation.kind !== "settle" || operation.to !== "FAILED") return write(operation);
  return write({ ...operation, order: { ...operation.order, amount: NO_MONEY, fee: NO_MONEY } });
});

const refundTwice = withWriter((write) => async (operation) => {
  const written = await write(operation);
  if (operation.kind === "reverse" && written.kind === "done") {
    const { accountId, orderId, amount } = operation.order;
    await write({ kind: "topup", accountId, amount, reference: `again ${orderId}`, note: "" });
  }
  return written;
});

function staleBalance(ctx: OrdersContext): OrdersContext {
  const first = new Map<string, Money>();
  const wrap = withWriter((write) => async (operation) => {
    const written = await write(operation);
    if (!("available" in written) || !("order" in operation)) return written;
    const { accountId } = operation.order;
    const stale = first.get(accountId) ?? written.available;
    first.set(accountId, stale);
    return { ...written, available: stale };
  });
  return wrap(ctx);
}

export const BUGS: readonly Bug[] = [
  {
    name: "resend-after-unknown",
    what: "an order without a usable answer is sent again",
    withinSteps: 100_000,
    orders: resendAfterUnknown,
  },
  { name: "unknown-is-failure", what: "no answer counts as a decline", withinSteps: 100_000, orders: unknownIsFailure },
  { name: "hold-not-released", what: "a failed order's money stays held", withinSteps: 100_000, orders: holdNotReleased },
  {
    name: "callback-skipped",
    what: "a settled order that was answered pending gets no callback",
    withinSteps: 100_000,
    sql: {
      file: "write_orders.sql",
      from: "when 'pending' then o.answered_pending or (o.unanswered and a.callback_version = 3)",
      to: "when 'pending' then false",
    },
  },
  {
    name: "nonce-accepted-twice",
    what: "a nonce that was used before is admitted again",
    withinSteps: 100_000,
    sql: { file: "admit_requests.sql", from: "if written < cardinality(nonces) then", to: "if false then" },
  },
  { name: "refund-twice", what: "the money of a reversed order comes back twice", withinSteps: 100_000, orders: refundTwice },
  { name: "stale-balance", what: "a reply shows a balance that was read for an earlier one", withinSteps: 100_000, orders: staleBalance },
  {
    name: "orphans-forgotten",
    what: "orders of a crashed process are never looked for",
    withinSteps: 100_000,
    withoutRecovery: true,
  },
  {
    name: "late-commits-forgotten",
    what: "orders that are committed after their process was found dead are never looked for",
    withinSteps: 100_000,
    withoutJob: "late order recovery",
  },
  {
    name: "clock-step-ignored",
    what: "due times are not corrected after the clock was set back",
    withinSteps: 100_000,
    withoutRepair: true,
  },
  {
    name: "due-work-unseen",
    what: "a quiet process does not check for due work",
    withinSteps: 200_000,
    withoutCheck: true,
  },
];

export function bugNamed(name: string): Bug {
  const bug = BUGS.find((one) => one.name === name);
  if (!bug) throw new Error(`There is no planted bug "${name}". There are: ${BUGS.map((one) => one.name).join(", ")}.`);
  return bug;
}
