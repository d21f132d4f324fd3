import { z } from "zod";
import { formatMoney, NO_MONEY, requireMoney } from "../../../platform/core/money.ts";
import { type Account, accountReason } from "../../accounts/account.ts";
import { type Answer, type Route, route } from "../../client-api/route.ts";
import { archivedRefusal, findKnown } from "../../orders/find-known.ts";
import { answerKnown, type NewOrder, type Placed, placeOrder } from "../../orders/place-order.ts";
import { createReplyRecorder } from "../../orders/recovery/unanswered-requests.ts";
import { invalidFields, refused } from "../../shared/refusals.ts";
import { amountField, operatorField, orderReply, referenceField, targetField } from "../fields.ts";
import { orderAnswer } from "../order-answer.ts";
import { type RechargeContext, SERVICE } from "./context.ts";
import { type RechargeRefusal, refuseKnown, refuseRecharge, unserved } from "./refuse-recharge.ts";

const input = z.object({
  account: targetField,
  operator: operatorField,
  amount: amountField,
  urid: referenceField,
  circle: z.string().max(32, "is too long").optional(),
});
type Input = z.infer<typeof input>;

const UNKNOWN_CIRCLE = "is not the code of a telecom circle, such as TN; GET /lookup tells the circle of a number";

/** The dependencies for creating a recharge, whichever API requests it. */
export type CreateContext = Omit<RechargeContext, "lookUp" | "limits" | "health" | "providerServices">;

export function createRecharge(ctx: CreateContext): Route {
  return route({
    method: "POST",
    path: "/recharge",
    service: SERVICE,
    kind: "transaction",
    summary: "Creates a recharge; a retry with the same urid returns the first result",
    input,
    reply: orderReply,
    knows: async (accountId, reference) => (await findKnown(ctx.sql, { accountId, service: SERVICE, reference, operation: "" })) !== null,
    handle: async ({ account, input: asked }) => {
      if (asked.circle !== undefined && !ctx.catalogue.numbering().circle(asked.circle)) return invalidFields({ circle: UNKNOWN_CIRCLE });
      const request = newOrder(ctx, account, asked);
      const details = { target: asked.account, operatorCode: asked.operator, amount: request.amount };
      const isServed = (operator: string) => ctx.providerRegistry.serves({ service: SERVICE, operator, sandbox: account.sandbox });
      const refusal = refuseRecharge({ account, catalogue: ctx.catalogue, details, now: ctx.clock.now(), isServed });
      if (refusal) return await answerRefused(ctx, request, refusal);
      return answerPlaced(ctx, request, await placeOrder(ctx, request));
    },
  });
}

function newOrder(ctx: CreateContext, account: Account, asked: Input): NewOrder {
  const amount = requireMoney(asked.amount);
  const operator = ctx.catalogue.operator(asked.operator)?.operator ?? asked.operator;
  return {
    account,
    service: SERVICE,
    reference: asked.urid,
    operation: "",
    fingerprint: `${operator} ${asked.account} ${formatMoney(amount)}`,
    amount,
    amountText: asked.amount,
    fee: NO_MONEY,
    credit: false,
    target: asked.account,
    operator,
    circle: asked.circle ?? null,
  };
}

/** A known reference takes precedence over every refusal (spec, Errors, cases that do not get status failed). */
async function answerRefused(ctx: CreateContext, request: NewOrder, refusal: RechargeRefusal): Promise<Answer> {
  const { accountId } = request.account;
  const known = await findKnown(ctx.sql, { accountId, service: SERVICE, reference: request.reference, operation: "" });
  if (!known) return refusedNew(request, refusal);
  const placed = await answerKnown(ctx, request.fingerprint, known, performance.now());
  const reason = placed.kind === "other details" ? refuseKnown(request.account, ctx.catalogue) : null;
  if (reason) return reason;
  return answerPlaced(ctx, request, placed);
}

function refusedNew(request: NewOrder, refusal: RechargeRefusal): Answer {
  if (refusal.shape === "rejected") return refusal.refusal;
  return {
    kind: "failed",
    refusal: refusal.refusal,
    ordinary: refusal.shape === "ordinary",
    reference: request.reference,
    amountText: request.amountText,
    target: request.target,
  };
}

function answerPlaced(ctx: CreateContext, request: NewOrder, placed: Placed): Answer {
  switch (placed.kind) {
    case "order":
      return orderAnswer(
        placed.order,
        SERVICE,
        accountReason(request.account) ? null : placed.available,
        createReplyRecorder(ctx, placed.order),
      );
    case "other details":
      return refused("duplicate_reference", "This urid belongs to an order with other details.", {
        extra: { order_id: placed.order.orderId },
      });
    case "archived":
      return archivedRefusal(placed.orderId, "urid");
    case "insufficient funds":
      return refused("insufficient_balance", "The wallet's balance does not cover this recharge.");
    case "daily limit":
      return refusedNew(request, { refusal: refused("daily_limit", "The account's daily limit is reached."), shape: "ordinary" });
    case "refused":
      return placed;
    case "no provider":
      return refusedNew(request, unserved({ name: ctx.catalogue.operator(request.operator)?.name ?? request.operator }));
    case "busy":
      return refused("busy", "Too many requests are waiting. Nothing was created. Try again with the same urid.");
  }
}
