import { z } from "zod";
import type { Account } from "../../../accounts/account.ts";
import { type Route, route } from "../../../client-api/route.ts";
import { invalidFields, type Refusal, refused } from "../../../shared/refusals.ts";
import { mobileField, requestIdField } from "../../signed/fields.ts";
import { fingerprintOf } from "../../signed/fingerprint.ts";
import {
  findRecorded,
  type OperationReference,
  oncePerReference,
  type Recorded,
  refuseForgotten,
} from "../../signed/once-per-reference.ts";
import { askProvider } from "../../signed/provider-services.ts";
import { refuseClosedService } from "../../signed/service-refusals.ts";
import { type Biller, targetOf } from "../billers/biller.ts";
import { findBiller } from "../billers/find-biller.ts";
import { type BillsContext, SERVICE } from "../context.ts";
import { billerIdField, paramsField } from "../fields.ts";
import { fetchAnswer, fetchReply } from "./fetch-answer.ts";
import { foundPart, refreshFetch } from "./refresh-fetch.ts";
import { type BillFetch, findFetch, insertFetch } from "./store.ts";

const PATH = "/bills/fetch";
const VALID_MILLISECONDS = 30 * 60 * 1000;

const input = z.object({
  request_id: requestIdField,
  biller_id: billerIdField,
  customer_mobile: mobileField,
  params: paramsField,
  channel: z.literal("INT", "must be INT").default("INT"),
});
type Input = z.infer<typeof input>;

export function createFetch(ctx: BillsContext): Route {
  return route({
    method: "POST",
    path: PATH,
    service: SERVICE,
    kind: "plain",
    summary: "Fetches a customer's bills from a biller, or checks that it knows the customer; charges nothing",
    input,
    reply: fetchReply,
    refusals: ["biller_not_found", "biller_inactive", "invalid_customer_params", "no_bill_due"],
    handle: async ({ account, input: asked }) => {
      const { accountId } = account;
      const reference = { accountId, operation: PATH, requestId: asked.request_id, fingerprint: fingerprintOf(asked) };
      const recorded = (await findRecorded(ctx, reference)) ?? (await make(ctx, account, asked, reference));
      if (recorded.kind === "refused") return recorded;
      const fetch = await findFetch(ctx.sql, accountId, recorded.record);
      if (!fetch) return refuseForgotten(recorded);
      return fetchAnswer(recorded.made ? fetch : await refreshFetch(ctx, fetch), ctx.clock.now());
    },
  });
}

/** The biller is asked before anything is written: asking twice is harmless, and a refusal leaves the reference free. */
async function make(ctx: BillsContext, account: Account, asked: Input, reference: OperationReference): Promise<Recorded | Refusal> {
  const fetch = refuseClosedService(ctx, account, SERVICE) ?? (await askBiller(ctx, account, asked));
  if ("kind" in fetch) return (await findRecorded(ctx, reference)) ?? fetch;
  return await oncePerReference(ctx, reference, async (tx) => {
    await insertFetch(tx, fetch);
    return fetch.fetchRef;
  });
}

async function askBiller(ctx: BillsContext, account: Account, asked: Input): Promise<BillFetch | Refusal> {
  const { biller_id: billerId, customer_mobile: customerMobile, params } = asked;
  const createdAt = ctx.clock.now();
  const fetchRef = ctx.ids.entry(createdAt);
  const found = await findBiller(ctx, { account, billerId, params, reference: fetchRef }, refuseDirect);
  if (found.kind === "refused") return found;
  const { biller, providerService } = found;
  const question = { fetchRef, billerId, params, target: targetOf(biller, params), customerMobile, createdAt, providerRef: "" };
  const answer = await askProvider(ctx, SERVICE, () => providerService.fetch(question));
  if (answer.kind === "refused") return answer;
  const finding = answer.value;
  if (finding.kind === "no bill due") return refused("no_bill_due", `${biller.name} has no bill due for this customer.`);
  const charge = ctx.pricing.feeRate(account.accountId, SERVICE, billerId, createdAt);
  return {
    ...question,
    ...foundPart(finding),
    accountId: account.accountId,
    requestId: asked.request_id,
    provider: found.provider,
    terms: charge ? { ...biller, charge } : biller,
    updatedAt: createdAt,
    // The API shows whole seconds.
    validUntil: Math.ceil((createdAt + VALID_MILLISECONDS) / 1000) * 1000,
    orderId: null,
  };
}

function refuseDirect(biller: Biller): Refusal | null {
  return biller.flow === "direct" ? invalidFields({ biller_id: "is paid directly, without a fetch" }) : null;
}
