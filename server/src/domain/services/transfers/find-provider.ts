import type { Account } from "../../accounts/account.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import { askProvider, chooseProviderService } from "../signed/provider-services.ts";
import { SERVICE, type TransfersContext } from "./context.ts";
import type { Bank, TransfersProviderService } from "./provider-service.ts";

export type FoundProvider = { readonly kind: "found"; readonly providerService: TransfersProviderService };
export type FoundBank = FoundProvider & { readonly bank: Bank };

/** The queries of the provider for requests without a bank; one sender always has the same provider. */
export function findProvider(ctx: TransfersContext, account: Account, sender: string, bank = ""): FoundProvider | Refusal {
  return chooseProviderService(ctx, ctx.providerServices.transfers, { service: SERVICE, operator: bank, account, reference: sender });
}

export function bankCode(ifsc: string): string {
  return ifsc.slice(0, 4);
}

/** The queries of the provider that pays to an IFSC's bank, and its data about that bank. */
export async function findBank(ctx: TransfersContext, account: Account, sender: string, ifsc: string): Promise<FoundBank | Refusal> {
  const code = bankCode(ifsc);
  const found = findProvider(ctx, account, sender, code);
  if (found.kind === "refused") return found;
  // The list may be incomplete; for a bank that is not listed the provider decides.
  const banks = await askProvider(ctx, SERVICE, () => found.providerService.banks());
  if (banks.kind === "refused") return banks;
  const bank: Bank = banks.value.find((one) => one.bank === code) ?? { bank: code, name: code, status: "up" };
  return { ...found, bank };
}

/** The same for requests that need the bank to be reachable. */
export async function findLiveBank(ctx: TransfersContext, account: Account, sender: string, ifsc: string): Promise<FoundBank | Refusal> {
  const found = await findBank(ctx, account, sender, ifsc);
  if (found.kind === "refused" || found.bank.status === "up") return found;
  return refused("bank_down", `${found.bank.name} cannot be reached at the moment. Nothing was created. Try again later.`);
}
