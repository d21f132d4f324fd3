import { formatFailure } from "../../../shared/failure.ts";
import { askProvider } from "../../signed/provider-services.ts";
import { type BillsContext, SERVICE } from "../context.ts";
import type { FetchFinding } from "../provider-service.ts";
import { type BillFetch, findFetch, updateFound } from "./store.ts";

/** Returns a fetch's current state. A pending fetch is queried again, and the result is stored before it is returned. */
export async function refreshFetch(ctx: BillsContext, fetch: BillFetch): Promise<BillFetch> {
  if (fetch.state !== "pending") return fetch;
  const mayAsk = !ctx.providerRegistry.isBarred(fetch.provider, ctx.isSandbox(fetch.accountId));
  const providerService = mayAsk ? ctx.providerServices.bills(fetch.provider) : undefined;
  const asked = providerService ? await askProvider(ctx, SERVICE, () => providerService.ask(fetch)) : null;
  // Without an answer nothing is decided: the fetch stays pending.
  if (asked?.kind !== "asked" || asked.value.kind === "pending") return fetch;
  const finding = asked.value;
  await updateFound(ctx.sql, { ...fetch, ...foundPart(finding, fetch.providerRef), updatedAt: ctx.clock.now() });
  // Another request may have stored the result first.
  return (await findFetch(ctx.sql, fetch.accountId, fetch.fetchRef)) ?? fetch;
}

/** The fields of a fetch that a finding determines. */
export function foundPart(finding: FetchFinding, knownRef = ""): Pick<BillFetch, "state" | "bills" | "range" | "reason" | "providerRef"> {
  const nothing = { bills: [], range: null, providerRef: knownRef };
  switch (finding.kind) {
    case "found": {
      const { bills, range = null, providerRef } = finding;
      return { state: "SUCCESS", bills, range, reason: null, providerRef: providerRef || knownRef };
    }
    case "pending":
      return { ...nothing, state: "pending", reason: null, providerRef: finding.providerRef || knownRef };
    case "failed":
      return { ...nothing, state: "FAILED", reason: formatFailure({ code: "bill_not_given", words: finding.reason }) };
    case "no bill due":
      return { ...nothing, state: "FAILED", reason: formatFailure({ code: "no_bill_due", words: "" }) };
  }
}
