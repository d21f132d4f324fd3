import type { Account } from "../../accounts/account.ts";
import { ANY } from "../../providers/routing.ts";
import type { Refusal } from "../../shared/refusals.ts";
import { chooseDesk } from "../signed/desks.ts";
import type { Biller } from "./biller.ts";
import { type BillsContext, SERVICE } from "./context.ts";

/** The billers of the provider that the account's payments go to, unless a biller has a provider of its own. */
export async function readBillers(
  ctx: BillsContext,
  account: Account,
): Promise<{ readonly kind: "billers"; readonly billers: readonly Biller[] } | Refusal> {
  const chosen = chooseDesk(ctx, ctx.desks.bills, { service: SERVICE, operator: ANY, account, reference: "" });
  return chosen.kind === "refused" ? chosen : { kind: "billers", billers: await chosen.desk.billers() };
}
