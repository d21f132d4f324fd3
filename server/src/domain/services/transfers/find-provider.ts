import type { Account } from "../../accounts/account.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import { type ReadMerged, readMerged } from "../signed/merged-list.ts";
import { askProvider, chooseProviderService, listProviderServices, type NamedService } from "../signed/provider-services.ts";
import { noProvider, refuseArranged } from "../signed/service-refusals.ts";
import { SERVICE, type TransfersContext } from "./context.ts";
import { type Bank, needsRegistration, type TransfersProviderService } from "./provider-service.ts";
import { readBeneficiaryRegistrations, readSenderRegistrations } from "./senders/registration-store.ts";

export type FoundProvider = NamedService<TransfersProviderService>;
export type FoundBank = FoundProvider & {
  readonly bank: Bank;
  /** The providers that reach the bank; absent when none lists it, so that each of them decides itself. */
  readonly among?: readonly string[];
};

/** The queries of the provider for requests without a bank; one sender always has the same provider. */
export function findProvider(ctx: TransfersContext, account: Account, sender: string): FoundProvider | Refusal {
  return chooseProviderService(ctx, ctx.providerServices.transfers, { service: SERVICE, operator: "", account, reference: sender });
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

/** The bank that the money goes to, and the providers that reach it. */
type Destination = { readonly bank: string; readonly among?: readonly string[] };
const ANYWHERE: Destination = { bank: "" };

/** The first provider that needs no registration or keeps the parties already; else the first, which must register them. */
export async function findKeeper(
  ctx: TransfersContext,
  account: Account,
  parties: Parties,
  { bank, among }: Destination = ANYWHERE,
): Promise<FoundProvider | Refusal> {
  const question = { service: SERVICE, operator: bank, account, reference: parties.sender, ...(among ? { among } : {}) };
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

const NO_BANKS: readonly Bank[] = [];

/** The banks of all providers that the account's transfers can go to, each once. A bank is up if one of them reaches it. */
export function readBanks(ctx: TransfersContext, account: Account): Promise<ReadMerged<Bank> | Refusal> {
  return readMerged(ctx, account, {
    service: SERVICE,
    services: ctx.providerServices.transfers,
    read: async ({ banks }) => (await banks?.()) ?? NO_BANKS,
    idOf: (bank) => bank.bank,
    isUsable: isUp,
    // The first letters of IFSCs mean the same bank everywhere.
    isSame: () => true,
  });
}

/** The providers that list no banks, because they reach every bank. */
export function findUnlisting(ctx: TransfersContext, account: Account, reference: string, bank: string): readonly FoundProvider[] {
  const question = { service: SERVICE, operator: bank, account, reference };
  return listProviderServices(ctx, ctx.providerServices.transfers, question).filter((one) => !one.providerService.banks);
}

function isUp(bank: Bank): boolean {
  return bank.status === "up";
}

export function bankCode(ifsc: string): string {
  return ifsc.slice(0, 4);
}

/** The queries of the provider that pays to an IFSC's bank, and its data about that bank. */
export async function findBank(ctx: TransfersContext, account: Account, parties: Parties, ifsc: string): Promise<FoundBank | Refusal> {
  const code = bankCode(ifsc);
  const banks = await readBanks(ctx, account);
  if (banks.kind === "refused") return banks;
  const offers = banks.byId.get(code)?.offers;
  // The lists may be incomplete; for a bank that is not listed the provider decides.
  if (!offers) return withBank(await findKeeper(ctx, account, parties, { bank: code }), unlisted(code));
  const everywhere = findUnlisting(ctx, account, parties.sender, code);
  const up = offers.filter(({ item }) => isUp(item));
  const isReached = up.length > 0 || everywhere.length > 0;
  const among = [...(isReached ? up : offers), ...everywhere].map(({ provider }) => provider);
  const { item } = up[0] ?? offers[0];
  const bank: Bank = isReached ? { ...item, status: "up" } : item;
  return withBank(await findKeeper(ctx, account, parties, { bank: code, among }), bank, among);
}

function unlisted(code: string): Bank {
  return { bank: code, name: code, status: "up" };
}

function withBank(found: FoundProvider | Refusal, bank: Bank, among?: readonly string[]): FoundBank | Refusal {
  return found.kind === "refused" ? found : { ...found, bank, ...(among ? { among } : {}) };
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
  if (found.kind === "refused") return found;
  const code = bankCode(ifsc);
  const banks = await askProvider(ctx, SERVICE, async () => (await found.providerService.banks?.()) ?? NO_BANKS);
  if (banks.kind === "refused") return banks;
  return refuseDown({ ...found, bank: banks.value.find((one) => one.bank === code) ?? unlisted(code) });
}

function refuseDown(found: FoundBank | Refusal): FoundBank | Refusal {
  if (found.kind === "refused" || found.bank.status === "up") return found;
  return refused("bank_down", `${found.bank.name} cannot be reached at the moment. Nothing was created. Try again later.`);
}
