import { requireInThisCell } from "../../ledger/store.ts";
import {
  type CallbackRefusal,
  type CallbackRefusalReason,
  isRefusal,
  refusedCallback,
} from "../../providers/callbacks/refused-callback.ts";
import type { Finding, Report } from "../../providers/connector.ts";
import { findByProviderRef, readProviderRef } from "../attempts/store.ts";
import { writeFinding } from "../attempts/with-evidence.ts";
import type { OrdersContext } from "../context.ts";
import { successFields } from "../dispatch-order.ts";
import type { Order } from "../order.ts";
import { connectorOf, notRunning, requestToAsk } from "../provider-request.ts";
import { settleOrder } from "../settle-order.ts";
import { findById } from "../store.ts";
import { leaveSuccessToStaff, makePollDue, schedulePollOfSuccess } from "./pending-poll-store.ts";

/** Applies a provider's status report to an order. Returns true when no further poll is needed. */
export async function applyFinding(ctx: OrdersContext, order: Order, finding: Finding): Promise<boolean> {
  if (order.state === "FAILED") return true;
  const barred = ctx.providerRegistry.isBarred(order.provider, ctx.isSandbox(order.accountId));
  if (barred && (order.state === "SUCCESS" || order.credit)) return await endBarred(ctx, order, finding);
  if (order.state === "SUCCESS") {
    // Only an explicit reversal takes a success back.
    if (finding.kind === "reversed") return await reverseOrder(ctx, order, finding.reason);
    return finding.kind === "succeeded";
  }
  switch (finding.kind) {
    case "succeeded":
      await settleOrder(ctx, null, order, { to: "SUCCESS", failure: null, ...successFields(finding) });
      return true;
    case "declined":
    case "reversed": {
      const failure = { code: finding.failure ?? "declined", words: finding.reason };
      const settlement = { to: "FAILED", operatorRef: null, failure, ofAttempt: order.attempt } as const;
      const found = await settleOrder(ctx, null, order, settlement);
      // The success was recorded only now, after the provider had already reversed it.
      return finding.kind === "reversed" && found?.state === "SUCCESS" ? await reverseOrder(ctx, found, finding.reason) : true;
    }
    default:
      return false;
  }
}

/**
 * Contract, section 9a: once the installation is live, the simulator reverses no success of a live account and credits no
 * live wallet. A pending credit fails; other orders of the trial end as the simulator reports.
 */
async function endBarred(ctx: OrdersContext, order: Order, finding: Finding): Promise<boolean> {
  if (order.state === "SUCCESS") return true;
  if (finding.kind === "pending" || finding.kind === "unknown" || finding.kind === "not_sent") return false;
  const failure = { code: "trial_ended", words: "" } as const;
  await settleOrder(ctx, null, order, { to: "FAILED", operatorRef: null, failure, ofAttempt: order.attempt });
  return true;
}

/** Reverses a success. Returns false when the wallet no longer holds the credited money; staff must settle such an order. */
async function reverseOrder(ctx: OrdersContext, order: Order, reason: string): Promise<boolean> {
  const written = await ctx.writer.write({
    kind: "reverse",
    order,
    failure: { code: "reversed", words: reason },
    callbackId: ctx.ids.entry(ctx.clock.now()),
    cause: "reversed",
  });
  ctx.wakeCallbacks();
  if (written.kind !== "insufficient funds") return true;
  ctx.log.error({ order: order.orderId, account: order.accountId }, "reversal of a credit failed: the wallet no longer holds the money");
  return false;
}

/**
 * Applies a provider's unsolicited status report. Returns why it was refused, e.g. for another provider's order; null if accepted.
 * Throws when the account is moving to another cell: what was written in the copy that stays behind is deleted.
 */
export async function applyReport(ctx: OrdersContext, report: Report, provider: string): Promise<CallbackRefusalReason | null> {
  const order = await findReported(ctx, report, provider);
  if (!order) return "unknown_reference";
  const refused = await applyToOrder(ctx, order, report, provider);
  await requireInThisCell(ctx.sql, order.accountId);
  return refused;
}

async function applyToOrder(ctx: OrdersContext, order: Order, report: Report, provider: string): Promise<CallbackRefusalReason | null> {
  if (order.provider !== provider) return "other_provider";
  const own = await reportOfVersion(ctx, order, report);
  return isRefusal(own) ? own.refused : await applyOwnReport(ctx, order, own);
}

/** An order's callbacks are read by the version of the description with which the order was sent. */
async function reportOfVersion(ctx: OrdersContext, order: Order, report: Report): Promise<Report | CallbackRefusal> {
  const { readAs, version } = report;
  const isOwn = order.providerVersion === null ? readAs === undefined : version === order.providerVersion;
  if (isOwn) return report;
  if (readAs === undefined || connectorOf(ctx, order) === null) return await refuseUnread(ctx, order);
  const own = readAs(order.providerVersion);
  if (isRefusal(own)) return own;
  const found = await findReported(ctx, own, order.provider);
  return found?.orderId === order.orderId ? own : refusedCallback("unknown_reference");
}

/** Another process may know the order's version already. The provider repeats a refused callback, and the status query decides. */
async function refuseUnread(ctx: OrdersContext, order: Order): Promise<CallbackRefusal> {
  if (order.state === "pending")
    await makePollDue(ctx.sql, order, ctx.clock.now(), `unknown: a callback could not be read, because ${notRunning(order)}`);
  return refusedCallback("not_expected");
}

async function applyOwnReport(ctx: OrdersContext, order: Order, report: Report): Promise<CallbackRefusalReason | null> {
  const { provider } = order;
  // Contract, section 9a: the simulator's reports no longer touch live accounts; polling ends orders that the trial left pending.
  if (ctx.providerRegistry.isBarred(provider, ctx.isSandbox(order.accountId))) return null;
  if (report.finding.kind === "ask") {
    await (order.state === "SUCCESS" ? schedulePollOfSuccess : makePollDue)(ctx.sql, order, ctx.clock.now());
    return null;
  }
  const differs = order.state === "FAILED" ? null : await differenceOf(ctx, order, report);
  if (differs !== null) {
    // The status query decides. Until then staff see why the order is pending.
    if (order.state === "pending")
      await makePollDue(ctx.sql, order, ctx.clock.now(), `unknown: the callback reports a success, but ${differs}`);
    return "differs";
  }
  await writeFinding(ctx, order, report.finding);
  const isApplied = await applyFinding(ctx, order, report.finding);
  // A poll of such an order goes on, but a report is not repeated.
  if (report.finding.kind === "reversed" && !isApplied) await leaveSuccessToStaff(ctx.sql, order, ctx.clock.now(), NOT_COVERED);
  return contradicts(order, report.finding) ? "contradicts" : null;
}

/** Why a reported success is not about this order; null when it is, or when nothing is compared. */
async function differenceOf(ctx: OrdersContext, order: Order, { differs }: Report): Promise<string | null> {
  const connector = connectorOf(ctx, order);
  if (differs === undefined || connector === null) return null;
  return differs(await requestToAsk(ctx, connector, order, await readProviderRef(ctx.sql, order)));
}

const NOT_COVERED =
  "reversed: the provider has taken the credit back, but the wallet no longer holds the money. Reverse the order when it does";

/** The order that a report is about: by our reference, by the one of the provider's form, or by the provider's own id. */
async function findReported(ctx: OrdersContext, { reference, referenceIs, version }: Report, provider: string): Promise<Order | null> {
  if (referenceIs === "provider_ref") {
    const key = await findByProviderRef(ctx.sql, provider, reference);
    return key && (await findById(ctx.sql, key.orderId, key.accountId));
  }
  const findByOurs = () => findById(ctx.sql, reference);
  const findByTheirs = async () => {
    const orderId = await ctx.references.subjectOf(provider, reference);
    return orderId === null ? null : await findById(ctx.sql, orderId);
  };
  // The order may have been sent by another version of the description, with references of another form.
  const hasOwnForm = ctx.providerRegistry.connector(provider, version ?? null)?.referenceForm !== undefined;
  return hasOwnForm ? ((await findByTheirs()) ?? (await findByOurs())) : ((await findByOurs()) ?? (await findByTheirs()));
}

/** A final order keeps its result, unless a success is reversed explicitly. Staff must learn what the provider says. */
function contradicts({ state }: Order, { kind }: Finding): boolean {
  return (state === "FAILED" && kind === "succeeded") || (state === "SUCCESS" && kind === "declined");
}
