import type { Account } from "../../accounts/account.ts";
import { type Refusal, refused } from "../../shared/refusals.ts";
import { askProvider, chooseProviderService } from "../signed/provider-services.ts";
import type { Biller, BillerParam, Params } from "./biller.ts";
import { type BillsContext, SERVICE } from "./context.ts";
import type { BillsProviderService } from "./provider-service.ts";

export type BillerQuery = {
  readonly account: Account;
  readonly billerId: string;
  readonly params: Params;
  readonly reference: string;
};

/** Finds an active biller and its provider, and checks the customer's parameters. */
export async function findBiller(
  ctx: BillsContext,
  question: BillerQuery,
  refuseFlow: (biller: Biller) => Refusal | null,
): Promise<
  { readonly kind: "biller"; readonly biller: Biller; readonly providerService: BillsProviderService; readonly provider: string } | Refusal
> {
  const { account, billerId, params, reference } = question;
  const chosen = chooseProviderService(ctx, ctx.providerServices.bills, { service: SERVICE, operator: billerId, account, reference });
  if (chosen.kind === "refused") return chosen;
  const { providerService, provider } = chosen;
  const asked = await askProvider(ctx, SERVICE, () => providerService.billers());
  if (asked.kind === "refused") return asked;
  const biller = asked.value.find((one) => one.billerId === billerId);
  if (!biller) return refused("biller_not_found", "There is no biller with this biller_id.");
  if (!biller.active) return inactive(biller.name);
  return refuseFlow(biller) ?? refuseParams(biller, params) ?? { kind: "biller", biller, providerService, provider };
}

export function inactive(name: string): Refusal {
  return refused("biller_inactive", `${name} does not accept payments at the moment.`);
}

/** Checks a customer's parameters against the biller's. Returns a refusal with a reason for each field, or null. */
function refuseParams(biller: Biller, params: Params): Refusal | null {
  const unknown = Object.keys(params).filter((name) => !biller.params.some((one) => one.name === name));
  const faults = [
    ...biller.params.flatMap((one) => faultOf(one, Object.hasOwn(params, one.name) ? params[one.name] : undefined)),
    ...unknown.map((name) => [`params.${name}`, "is not a parameter of this biller"] as const),
  ];
  if (faults.length === 0) return null;
  return refused("invalid_customer_params", `${biller.name} does not accept these parameters.`, { fields: Object.fromEntries(faults) });
}

type Fault = readonly [field: string, why: string];

function faultOf(param: BillerParam, value: string | undefined): readonly Fault[] {
  const field = `params.${param.name}`;
  if (value === undefined) return param.optional ? [] : [[field, "is required"]];
  return param.pattern.test(value) ? [] : [[field, `must be a ${param.label.toLowerCase()} such as ${param.example}`]];
}
