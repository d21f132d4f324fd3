import { isOpen } from "../../../platform/core/india-time.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { ACCOUNT_REASON_WORDS, type Account, accountReason } from "../../accounts/account.ts";
import type { Service } from "../../catalog/catalogue.ts";
import type { Answer } from "../../client-api/route.ts";
import { readWallet } from "../../ledger/store.ts";
import { archivedRefusal, findKnown, type Known } from "../../orders/find-known.ts";
import type { Order } from "../../orders/order.ts";
import { answerKnown, type NewOrder, type Placed, placeOrder } from "../../orders/place-order.ts";
import { createReplyRecorder } from "../../orders/recovery/unanswered-requests.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import { nounOf, signedAnswer } from "../order-answer.ts";
import type { SignedContext } from "./context.ts";
import { noProvider, refuseUnserved } from "./service-refusals.ts";

/** An order request that its service has validated. */
export type Prepared = { readonly kind: "prepared" } & Pick<NewOrder, "amount" | "amountText" | "fee" | "target" | "operator"> &
  Partial<Pick<NewOrder, "credit" | "guard" | "details" | "provider" | "allows" | "quoted">>;

/** A transaction request to a signed service. */
export type SignedTransaction = {
  readonly service: string;
  /** The service's operation; empty for services with one operation. */
  readonly operation?: string;
  readonly account: Account;
  readonly requestId: string;
  readonly fingerprint: string;
  /** As sent, for a reply without an order. */
  readonly sent: { readonly amount?: string | undefined; readonly account?: string | undefined };
  /** Spec, Endpoints, rule 2: a refusal when another reference of the request, such as a transfer_ref, already has a transaction. */
  readonly used?: () => Promise<Refusal | null>;
  /** Validates the request. It must write nothing; writes belong in `guard`. */
  readonly prepare: () => Promise<Prepared | Refusal>;
  /** The service's own part of the reply, under its own name. */
  readonly block: (order: Order) => Promise<JsonObject>;
};

/** Contract, section 2, check 8, for every transaction except a recharge. */
export async function answerTransaction(ctx: SignedContext, request: SignedTransaction): Promise<Answer> {
  const known = await knownTo(ctx, request);
  if (known) return await answerSame(ctx, request, known);
  const used = await request.used?.();
  if (used) return await answerRefused(ctx, request, refuseKnown(ctx, request) ?? used);
  const refusal = refuseNew(ctx, request);
  if (refusal) return failed(request, refusal);
  const prepared = await request.prepare();
  if (prepared.kind === "refused") return await answerUnprepared(ctx, request, prepared);
  return await answerPlaced(ctx, request, await placeOrder(ctx, newOrder(request, prepared)));
}

function knownTo(ctx: SignedContext, request: SignedTransaction): Promise<Known | null> {
  const { account, service, requestId: reference, operation = "" } = request;
  return findKnown(ctx.sql, { accountId: account.accountId, service, reference, operation });
}

/** The refusal may be a consequence of a concurrent request with the same reference that came first. */
async function answerRefused(ctx: SignedContext, request: SignedTransaction, refusal: Refusal): Promise<Answer> {
  const first = await knownTo(ctx, request);
  return first ? await answerSame(ctx, request, first) : refusal;
}

/** A service that is off for this request only, such as a biller without a provider, is answered like one that is off for all. */
async function answerUnprepared(ctx: SignedContext, request: SignedTransaction, refusal: Refusal): Promise<Answer> {
  const answer = await answerRefused(ctx, request, refusal);
  return answer.kind === "refused" && answer.error === "service_off" ? failed(request, answer) : answer;
}

/** Checks a retry: only an account reason or a switched-off service applies. */
function refuseKnown(ctx: SignedContext, request: SignedTransaction): Refusal | null {
  const reason = accountReason(request.account);
  if (reason) return refused(reason, ACCOUNT_REASON_WORDS[reason]);
  const service = ctx.catalogue.service(request.service);
  return service.enabled ? null : serviceOff(service);
}

/** Answers a retry: refused for an account reason or a switched-off service, otherwise the first request's result. */
async function answerSame(ctx: SignedContext, request: SignedTransaction, known: Known): Promise<Answer> {
  const refusal = refuseKnown(ctx, request);
  if (refusal) return refusal;
  const deadline = performance.now() + ctx.replyWaitMilliseconds;
  return await answerPlaced(ctx, request, await answerKnown(ctx, request.fingerprint, known, deadline));
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
    operation: request.operation ?? "",
    fingerprint: request.fingerprint,
    credit: false,
    circle: null,
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
    case "archived":
      return archivedRefusal(placed.orderId, "request_id");
    case "insufficient funds":
      return refused("insufficient_balance", "The wallet's balance does not cover this transaction and its fee.");
    case "refused":
      return placed;
    case "no provider":
      return failed(request, noProvider(ctx, request.service));
    default:
      return refused("busy", "Too many requests are waiting. Nothing was created. Try again with the same request_id.");
  }
}

/** A lookup's reply for a found order. */
export async function answerFound(ctx: SignedContext, order: Order, block: JsonObject): Promise<Answer> {
  const { available } = await readWallet(ctx.sql, order.accountId);
  return signedAnswer(order, nounOf(ctx.catalogue, order.service), available, block);
}
