import type { Account } from "../../accounts/account.ts";
import { ANY } from "../../providers/routing/routing.ts";
import type { Refusal } from "../../shared/refusals.ts";
import { askProvider, chooseProviderService } from "../signed/provider-services.ts";
import type { Biller } from "./biller.ts";
import { type BillsContext, SERVICE } from "./context.ts";

/** The billers of the provider that serves the account's payments, unless a biller has its own route. */
export async function readBillers(
  ctx: BillsContext,
  account: Account,
): Promise<{ readonly kind: "billers"; readonly billers: readonly Biller[] } | Refusal> {
  const chosen = chooseProviderService(ctx, ctx.providerServices.bills, { service: SERVICE, operator: ANY, account, reference: "" });
  if (chosen.kind === "refused") return chosen;
  const asked = await askProvider(ctx, SERVICE, () => chosen.providerService.billers());
  return asked.kind === "refused" ? asked : { kind: "billers", billers: asked.value };
}
