import type { Account } from "../../accounts/account.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import { askProvider, chooseDesk } from "../signed/desks.ts";
import type { Biller, Params } from "./biller.ts";
import { type BillsContext, SERVICE } from "./context.ts";
import { refuseParams } from "./customer-params.ts";
import type { BillsDesk } from "./desk.ts";

export type BillerQuestion = {
  readonly account: Account;
  readonly billerId: string;
  readonly params: Params;
  readonly reference: string;
};

/** An active biller and the desk of its provider, once it takes the customer's parameters. */
export async function findBiller(
  ctx: BillsContext,
  question: BillerQuestion,
  refuseFlow: (biller: Biller) => Refusal | null,
): Promise<{ readonly kind: "biller"; readonly biller: Biller; readonly desk: BillsDesk; readonly provider: string } | Refusal> {
  const { account, billerId, params, reference } = question;
  const chosen = chooseDesk(ctx, ctx.desks.bills, { service: SERVICE, operator: billerId, account, reference });
  if (chosen.kind === "refused") return chosen;
  const { desk, provider } = chosen;
  const asked = await askProvider(ctx, SERVICE, () => desk.billers());
  if (asked.kind === "refused") return asked;
  const biller = asked.value.find((one) => one.billerId === billerId);
  if (!biller) return refused("biller_not_found", "There is no biller with this biller_id.");
  if (!biller.active) return inactive(biller.name);
  return refuseFlow(biller) ?? refuseParams(biller, params) ?? { kind: "biller", biller, desk, provider };
}

export function inactive(name: string): Refusal {
  return refused("biller_inactive", `${name} takes no payments at the moment.`);
}
