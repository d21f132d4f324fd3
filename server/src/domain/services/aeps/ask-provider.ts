import type { Account } from "../../accounts/account.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import { readMerged } from "../signed/merged-list.ts";
import { refuseArranged } from "../signed/service-refusals.ts";
import { type AepsContext, SERVICE } from "./context.ts";
import type { Outlet } from "./outlets/outlet.ts";
import type { AepsProviderService, Bank, Verdict } from "./provider-service.ts";

export type Asked<Value> = { readonly kind: "answered"; readonly value: Value } | Refusal;

const UNAVAILABLE = refused("busy", "The provider is not available at the moment. Nothing was changed. Try again later.");

/** Queries a provider. The error is not logged, because it may repeat sensitive input. */
export async function askProvider<Value>(ctx: AepsContext, question: () => Promise<Value>): Promise<Asked<Value>> {
  try {
    return { kind: "answered", value: await question() };
  } catch {
    ctx.log.warn({ service: SERVICE }, "provider query failed");
    return UNAVAILABLE;
  }
}

/** The queries of the provider that registered an outlet. */
export function providerNamed(
  ctx: AepsContext,
  { accountId, provider }: Pick<Outlet, "accountId" | "provider">,
): { readonly kind: "found"; readonly providerService: AepsProviderService } | Refusal {
  const refusal = refuseArranged(ctx, accountId, provider, ctx.catalogue.service(SERVICE).name);
  if (refusal) return refusal;
  const providerService = ctx.providerServices.aeps(provider);
  return providerService === undefined ? UNAVAILABLE : { kind: "found", providerService };
}

/** A provider's verdict on an outlet, after the fingerprint has matched. */
export type Judged = Exclude<Verdict, { kind: "no match" }>;

/** Asks the provider that registered an outlet to verify a fingerprint. */
export async function askOutletProvider(
  ctx: AepsContext,
  outlet: Outlet,
  ask: (providerService: AepsProviderService, known: { readonly agentCode: string; readonly mobile: string }) => Promise<Verdict>,
): Promise<Judged | Refusal> {
  const named = providerNamed(ctx, outlet);
  if (named.kind === "refused") return named;
  const verdict = await askProvider(ctx, () => ask(named.providerService, { agentCode: outlet.agentCode ?? "", mobile: outlet.mobile }));
  if (verdict.kind === "refused") return verdict;
  return verdict.value.kind === "no match" ? refused("invalid_pid", "The fingerprint does not match. Capture it again.") : verdict.value;
}

/** The banks of all providers that the account's outlets can be registered with, each once. */
export async function listedBanks(ctx: AepsContext, account: Account): Promise<Asked<readonly Bank[]>> {
  const read = await readMerged(ctx, account, {
    service: SERVICE,
    services: ctx.providerServices.aeps,
    read: (providerService) => providerService.banks(),
    idOf: (bank) => bank.iin,
    isUsable: (bank) => bank.live,
    // IINs mean the same bank everywhere.
    isSame: () => true,
  });
  return read.kind === "refused" ? read : { kind: "answered", value: read.items };
}

/** Finds a bank that the outlet's provider can serve now. */
export async function liveBank(ctx: AepsContext, outlet: Outlet, iin: string): Promise<Asked<Bank>> {
  const named = providerNamed(ctx, outlet);
  const banks = named.kind === "refused" ? named : await askProvider(ctx, named.providerService.banks);
  if (banks.kind === "refused") return banks;
  const bank = banks.value.find((one) => one.iin === iin);
  if (!bank) return refused("bank_not_live", "There is no bank with this bank_iin. GET /aeps/banks lists all banks.");
  return bank.live ? { kind: "answered", value: bank } : refused("bank_not_live", `${bank.name} is not live on AEPS at the moment.`);
}
