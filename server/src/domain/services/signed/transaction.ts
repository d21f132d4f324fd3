import { isOpen } from "../../../platform/core/india-time.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { ACCOUNT_REASON_WORDS, type Account, accountReason } from "../../accounts/account.ts";
import type { Service } from "../../catalog/catalogue.ts";
import type { Answer } from "../../client-api/route.ts";
import { readWallet } from "../../ledger/store.ts";
import type { Order } from "../../orders/order.ts";
import { answerExisting, type NewOrder, type Placed, placeOrder } from "../../orders/place-order.ts";
import { createReplyRecorder } from "../../orders/recovery/unanswered-requests.ts";
import { findByReference } from "../../orders/store.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import { nounOf, signedAnswer } from "../order-answer.ts";
import type { SignedContext } from "./context.ts";
import { noProvider, refuseUnserved } from "./refuse-shut.ts";

/** What a service knows of an order once it has found nothing against it. */
export type Prepared = { readonly kind: "prepared" } & Pick<NewOrder, "amount" | "amountText" | "fee" | "target" | "operator"> &
  Partial<Pick<NewOrder, "credit" | "guard" | "details" | "provider" | "quoted">>;

/** A request for a transaction of a signed service. */
export type SignedTransaction = {
  readonly service: string;
  /** Which of the service's transactions; empty where there is only one. */
  readonly call?: string;
  readonly account: Account;
  readonly requestId: string;
  readonly fingerprint: string;
  /** As sent, for a reply that nothing was created for. */
  readonly sent: { readonly amount?: string | undefined; readonly account?: string | undefined };
  /** Spec, Endpoints, rule 2: why not, when another reference of it, such as a transfer_ref, has a transaction already. */
  readonly used?: () => Promise<Refusal | null>;
  /** Looks for what speaks against it. Writes nothing: what has to be written belongs in `guard`. */
  readonly prepare: () => Promise<Prepared | Refusal>;
  /** The service's own part of the reply, under its own name. */
  readonly block: (order: Order) => Promise<JsonObject>;
};

/** Contract, section 2, check 8, for every transaction but a recharge. */
export async function answerTransaction(ctx: SignedContext, request: SignedTransaction): Promise<Answer> {
  const known = await findKnown(ctx, request);
  if (known) return await answerSame(ctx, request, known);
  const used = await request.used?.();
  if (used) return await answerRefused(ctx, request, refuseKnown(ctx, request) ?? used);
  const against = refuseNew(ctx, request);
  if (against) return failed(request, against);
  const prepared = await request.prepare();
  if (prepared.kind === "refused") return await answerUnprepared(ctx, request, prepared);
  return await answerPlaced(ctx, request, await placeOrder(ctx, newOrder(request, prepared)));
}

function findKnown(ctx: SignedContext, request: SignedTransaction): Promise<Order | null> {
  const { account, service, requestId: reference, call = "" } = request;
  return findByReference(ctx.sql, { accountId: account.accountId, service, reference, call });
}

/** What speaks against it may be that the first one with this reference was quicker. */
async function answerRefused(ctx: SignedContext, request: SignedTransaction, refusal: Refusal): Promise<Answer> {
  const first = await findKnown(ctx, request);
  return first ? await answerSame(ctx, request, first) : refusal;
}

/** A service that is off for this one, such as a biller without a provider, is off as it is for all. */
async function answerUnprepared(ctx: SignedContext, request: SignedTransaction, refusal: Refusal): Promise<Answer> {
  const answer = await answerRefused(ctx, request, refusal);
  return answer.kind === "refused" && answer.error === "service_off" ? failed(request, answer) : answer;
}

/** What stands against a retry: an account reason or a service that is off, and nothing else. */
function refuseKnown(ctx: SignedContext, request: SignedTransaction): Refusal | null {
  const reason = accountReason(request.account);
  if (reason) return refused(reason, ACCOUNT_REASON_WORDS[reason]);
  const service = ctx.catalogue.service(request.service);
  return service.enabled ? null : serviceOff(service);
}

/** A retry: refused while the account is or the service is off, else the first one's result. */
async function answerSame(ctx: SignedContext, request: SignedTransaction, order: Order): Promise<Answer> {
  const against = refuseKnown(ctx, request);
  if (against) return against;
  const deadline = performance.now() + ctx.replyWaitMilliseconds;
  return await answerPlaced(ctx, request, await answerExisting(ctx, request.fingerprint, order, deadline));
}

function refuseNew(ctx: SignedContext, request: SignedTransaction): Refusal | null {
  const { account, service: name } = request;
  const reason = accountReason(account);
  if (reason) return refused(reason, ACCOUNT_REASON_WORDS[reason]);
  const service = ctx.catalogue.service(name);
  if (!isOpen(service, ctx.clock.now())) return refused("service_closed", `${service.name} is closed for the night.`);
  if (account.wallet === "suspended") return refused("wallet_suspended", "The account's wallet is suspended.");
  return service.enabled ? refuseUnserved(ctx, account, name) : serviceOff(service);
}

function serviceOff(service: Service): Refusal {
  return refused("service_off", `${service.name} is switched off.`);
}

function failed(request: SignedTransaction, refusal: Refusal): Answer {
  return {
    kind: "failed",
    refusal,
    ordinary: false,
    signedService: true,
    reference: request.requestId,
    amountText: request.sent.amount ?? "",
    target: request.sent.account ?? "",
  };
}

function newOrder(request: SignedTransaction, prepared: Prepared): NewOrder {
  const { kind: _, ...known } = prepared;
  return {
    account: request.account,
    service: request.service,
    reference: request.requestId,
    call: request.call ?? "",
    fingerprint: request.fingerprint,
    credit: false,
    circle: null,
    dailyLimit: null,
    ...known,
  };
}

async function answerPlaced(ctx: SignedContext, request: SignedTransaction, placed: Placed): Promise<Answer> {
  switch (placed.kind) {
    case "order":
      return {
        ...signedAnswer(placed.order, nounOf(ctx.catalogue, request.service), placed.available, await request.block(placed.order)),
        onSent: createReplyRecorder(ctx, placed.order),
      };
    case "other details":
      return refused("duplicate_reference", "This request_id belongs to a transaction with other details.", {
        extra: { order_id: placed.order.orderId },
      });
    case "insufficient funds":
      return refused("insufficient_balance", "The wallet's balance does not cover this transaction and its fee.");
    case "refused":
      return placed;
    case "no provider":
      return failed(request, noProvider(ctx, request.service));
    default:
      return refused("busy", "Too much is waiting at the moment. Nothing was created: try again with the same request_id.");
  }
}

/** A lookup's reply for an order that was found. */
export async function answerFound(ctx: SignedContext, order: Order, block: JsonObject): Promise<Answer> {
  const { available } = await readWallet(ctx.sql, order.accountId);
  return signedAnswer(order, nounOf(ctx.catalogue, order.service), available, block);
}
