import { z } from "zod";
import { type Account, accountReason } from "../../accounts/account.ts";
import { type Answer, type Route, route } from "../../gate/route.ts";
import { formatMoney, type Money, parseMoney } from "../../kernel/money.ts";
import { refused } from "../../kernel/refusals.ts";
import { answerKnown, type NewOrder, type Placed, placeOrder } from "../../orders/place-order.ts";
import { findByReference } from "../../orders/store.ts";
import { type RechargeContext, SERVICE } from "./context.ts";
import { amountField, orderReply, referenceField, targetField } from "./fields.ts";
import { orderAnswer } from "./order-answer.ts";
import { type RechargeRefusal, refuseRecharge } from "./refuse-recharge.ts";

const input = z.object({
  account: targetField,
  operator: z.string().min(1, "must not be empty").max(32, "is too long"),
  amount: amountField,
  urid: referenceField,
  circle: z.string().max(32, "is too long").optional(),
});
type Input = z.infer<typeof input>;

export function createRecharge(ctx: RechargeContext): Route {
  return route({
    method: "POST",
    path: "/recharge",
    service: SERVICE,
    kind: "transaction",
    summary: "Recharge a number; a retry with the same urid answers the first one's result",
    input,
    reply: orderReply,
    handle: async ({ account, input: asked }) => {
      const request = newOrder(ctx, account, asked);
      const details = { target: asked.account, operatorCode: asked.operator, amount: request.amount };
      const against = refuseRecharge({ account, catalogue: ctx.catalogue, details, now: ctx.clock.now() });
      if (against) return await answerRefused(ctx, request, against);
      return answerPlaced(request, await placeOrder(ctx, request));
    },
  });
}

function newOrder(ctx: RechargeContext, account: Account, asked: Input): NewOrder {
  const amount = parseMoney(asked.amount) as Money;
  const operator = ctx.catalogue.operator(asked.operator)?.operator ?? asked.operator;
  return {
    account,
    service: SERVICE,
    reference: asked.urid,
    fingerprint: `${operator} ${asked.account} ${formatMoney(amount)}`,
    amount,
    amountText: asked.amount,
    fee: 0n as Money,
    target: asked.account,
    operator,
    circle: asked.circle ?? null,
    dailyLimit: account.dailyLimit,
  };
}

/** A known reference comes before every reason (spec, Errors, cases that do not get status failed). */
async function answerRefused(ctx: RechargeContext, request: NewOrder, against: RechargeRefusal): Promise<Answer> {
  const { accountId } = request.account;
  const order = await findByReference(ctx.sql, { accountId, service: SERVICE, reference: request.reference });
  if (!order) return refusedNew(request, against);
  const known = await answerKnown(ctx, request.fingerprint, order, performance.now());
  const standsAgainst = against.shape === "account" ? against.refusal.error !== "service_closed" : SWITCHED_OFF.has(against.refusal.error);
  if (known.kind === "other details" && standsAgainst) return against.refusal;
  return answerPlaced(request, known);
}

const SWITCHED_OFF: ReadonlySet<string> = new Set(["service_not_enabled", "service_off"]);

function refusedNew(request: NewOrder, against: RechargeRefusal): Answer {
  if (against.shape === "rejected") return against.refusal;
  return {
    kind: "failed",
    refusal: against.refusal,
    ordinary: against.shape === "ordinary",
    reference: request.reference,
    amountText: request.amountText,
    target: request.target,
  };
}

function answerPlaced(request: NewOrder, placed: Placed): Answer {
  switch (placed.kind) {
    case "order":
      return orderAnswer(placed.order, accountReason(request.account) ? null : placed.available);
    case "other details":
      return refused("duplicate_reference", "This urid belongs to an order with other details.", {
        extra: { order_id: placed.order.orderId },
      });
    case "thin":
      return refused("insufficient_balance", "The wallet's balance does not cover this recharge.");
    case "daily limit":
      return refusedNew(request, { refusal: refused("daily_limit", "The account's daily limit is reached."), shape: "ordinary" });
    case "busy":
      return refused("busy", "Too much is waiting at the moment. Nothing was created: try again with the same urid.");
  }
}
