import type { Account } from "../../../accounts/account.ts";
import type { Refusal } from "../../../shared/refusals.ts";
import { isSameName } from "../../signed/merge-lists.ts";
import { type ReadMerged, readMerged } from "../../signed/merged-list.ts";
import { type BillsContext, SERVICE } from "../context.ts";
import type { Biller } from "./biller.ts";

/** The billers of all providers that the account's payments can go to, each once. */
export function readBillers(ctx: BillsContext, account: Account): Promise<ReadMerged<Biller> | Refusal> {
  return readMerged(ctx, account, {
    service: SERVICE,
    services: ctx.providerServices.bills,
    read: (providerService) => providerService.billers(),
    idOf: (biller) => biller.billerId,
    isUsable: (biller) => biller.active,
    // Biller ids may be a provider's own, and a payment must not reach another biller.
    isSame: (one, other) => isSameName(one.name, other.name),
  });
}
