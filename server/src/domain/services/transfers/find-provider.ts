import type { Account } from "../../accounts/account.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import { askProvider, chooseProviderService, listProviderServices, type NamedService } from "../signed/provider-services.ts";
import { noProvider, refuseArranged } from "../signed/service-refusals.ts";
import { SERVICE, type TransfersContext } from "./context.ts";
import { type Bank, needsRegistration, type TransfersProviderService } from "./provider-service.ts";
import { readBeneficiaryRegistrations, readSenderRegistrations } from "./registration-store.ts";

export type FoundProvider = NamedService<TransfersProviderService>;
export type FoundBank = FoundProvider & { readonly bank: Bank };

/** The queries of the provider for requests without a bank; one sender always has the same provider. */
export function findProvider(ctx: TransfersContext, account: Account, sender: string, bank = ""): FoundProvider | Refusal {
  return chooseProviderService(ctx, ctx.providerServices.transfers, { service: SERVICE, operator: bank, account, reference: sender });
}

/** The queries of a provider with which an earlier step was arranged. */
export function findNamed(ctx: TransfersContext, accountId: string, provider: string): FoundProvider | Refusal {
  const against = refuseArranged(ctx, accountId, provider, ctx.catalogue.service(SERVICE).name);
  if (against) return against;
  const providerService = ctx.providerServices.transfers(provider);
  if (providerService) return { kind: "found", provider, providerService };
  return refused("busy", "The provider is not available at the moment. Try again later.");
}

/** Whose money goes where; without a beneficiary only the sender counts. */
export type Parties = { readonly sender: string; readonly beneficiaryId?: string };

/** Whether a provider could send now, as far as its registrations go. */
type Readiness = (found: FoundProvider) => boolean;

/** The first provider that needs no registration or keeps the parties already; else the first, which must register them. */
export async function findKeeper(ctx: TransfersContext, account: Account, parties: Parties, bank = ""): Promise<FoundProvider | Refusal> {
  const question = { service: SERVICE, operator: bank, account, reference: parties.sender };
  const candidates = listProviderServices(ctx, ctx.providerServices.transfers, question);
  const [first] = candidates;
  if (!first) return noProvider(ctx, SERVICE);
  if (!candidates.some((one) => needsRegistration(one.providerService))) return first;
  return candidates.find(await readReadiness(ctx, account.accountId, parties)) ?? first;
}

export async function readReadiness(ctx: TransfersContext, accountId: string, parties: Parties): Promise<Readiness> {
  const { sender, beneficiaryId } = parties;
  const [senders, beneficiaries] = await Promise.all([
    readSenderRegistrations(ctx.sql, { accountId, mobile: sender }),
    beneficiaryId === undefined ? null : readBeneficiaryRegistrations(ctx.sql, { accountId, beneficiaryId }),
  ]);
  return ({ provider, providerService }) =>
    (!providerService.senders || senders.get(provider) === "VERIFIED") &&
    (!providerService.beneficiaries || beneficiaries === null || beneficiaries.get(provider)?.status === "ACTIVE");
}

export function bankCode(ifsc: string): string {
  return ifsc.slice(0, 4);
}

/** The queries of the provider that pays to an IFSC's bank, and its data about that bank. */
export async function findBank(ctx: TransfersContext, account: Account, parties: Parties, ifsc: string): Promise<FoundBank | Refusal> {
  const found = await findKeeper(ctx, account, parties, bankCode(ifsc));
  return found.kind === "refused" ? found : await withBank(ctx, found, ifsc);
}

async function withBank(ctx: TransfersContext, found: FoundProvider, ifsc: string): Promise<FoundBank | Refusal> {
  const code = bankCode(ifsc);
  // The list may be incomplete; for a bank that is not listed the provider decides.
  const banks = await askProvider(ctx, SERVICE, () => found.providerService.banks());
  if (banks.kind === "refused") return banks;
  const bank: Bank = banks.value.find((one) => one.bank === code) ?? { bank: code, name: code, status: "up" };
  return { ...found, bank };
}

/** The same for requests that need the bank to be reachable. */
export async function findLiveBank(ctx: TransfersContext, account: Account, parties: Parties, ifsc: string): Promise<FoundBank | Refusal> {
  return refuseDown(await findBank(ctx, account, parties, ifsc));
}

/** The same at the provider of a quote. */
export async function findLiveBankAt(
  ctx: TransfersContext,
  accountId: string,
  provider: string,
  ifsc: string,
): Promise<FoundBank | Refusal> {
  const found = findNamed(ctx, accountId, provider);
  return found.kind === "refused" ? found : refuseDown(await withBank(ctx, found, ifsc));
}

function refuseDown(found: FoundBank | Refusal): FoundBank | Refusal {
  if (found.kind === "refused" || found.bank.status === "up") return found;
  return refused("bank_down", `${found.bank.name} cannot be reached at the moment. Nothing was created. Try again later.`);
}
