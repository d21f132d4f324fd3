import type { Account } from "../../accounts/account.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import { type ReadMerged, readMerged } from "../signed/merged-list.ts";
import { chooseProviderService } from "../signed/provider-services.ts";
import { SERVICE, type TransfersContext } from "./context.ts";
import type { Bank, TransfersProviderService } from "./provider-service.ts";

export type FoundProvider = { readonly kind: "found"; readonly providerService: TransfersProviderService };
export type FoundBank = FoundProvider & {
  readonly bank: Bank;
  /** The providers that reach the bank; absent when none lists it, so that each of them decides itself. */
  readonly among?: readonly string[];
};

/** The queries of the provider for requests without a bank; one sender always has the same provider. */
export function findProvider(ctx: TransfersContext, account: Account, sender: string): FoundProvider | Refusal {
  return chooseProviderService(ctx, ctx.providerServices.transfers, { service: SERVICE, operator: "", account, reference: sender });
}

/** The banks of all providers that the account's transfers can go to, each once. A bank is up if one of them reaches it. */
export function readBanks(ctx: TransfersContext, account: Account): Promise<ReadMerged<Bank> | Refusal> {
  return readMerged(ctx, account, {
    service: SERVICE,
    services: ctx.providerServices.transfers,
    read: (providerService) => providerService.banks(),
    idOf: (bank) => bank.bank,
    isUsable: isUp,
    // The first letters of IFSCs mean the same bank everywhere.
    isSame: () => true,
  });
}

function isUp(bank: Bank): boolean {
  return bank.status === "up";
}

export function bankCode(ifsc: string): string {
  return ifsc.slice(0, 4);
}

/** The queries of the provider that pays to an IFSC's bank, and its data about that bank. */
export async function findBank(ctx: TransfersContext, account: Account, sender: string, ifsc: string): Promise<FoundBank | Refusal> {
  const code = bankCode(ifsc);
  const banks = await readBanks(ctx, account);
  if (banks.kind === "refused") return banks;
  const choice = { service: SERVICE, operator: code, account, reference: sender };
  const offers = banks.byId.get(code)?.offers;
  // The lists may be incomplete; for a bank that is not listed the provider decides.
  if (!offers)
    return withBank(chooseProviderService(ctx, ctx.providerServices.transfers, choice), { bank: code, name: code, status: "up" });
  const up = offers.filter(({ item }) => isUp(item));
  const among = (up.length > 0 ? up : offers).map(({ provider }) => provider);
  const found = chooseProviderService(ctx, ctx.providerServices.transfers, { ...choice, among });
  return withBank(found, (up[0] ?? offers[0]).item, among);
}

function withBank(found: FoundProvider | Refusal, bank: Bank, among?: readonly string[]): FoundBank | Refusal {
  return found.kind === "refused" ? found : { ...found, bank, ...(among ? { among } : {}) };
}

/** The same for requests that need the bank to be reachable. */
export async function findLiveBank(ctx: TransfersContext, account: Account, sender: string, ifsc: string): Promise<FoundBank | Refusal> {
  const found = await findBank(ctx, account, sender, ifsc);
  if (found.kind === "refused" || found.bank.status === "up") return found;
  return refused("bank_down", `${found.bank.name} cannot be reached at the moment. Nothing was created. Try again later.`);
}
