import type { Account } from "../../../accounts/account.ts";
import { boundedMatch } from "../../../providers/description/read/bounded-match.ts";
import { type Refusal, refused } from "../../../shared/refusals.ts";
import { targetField } from "../../fields.ts";
import { chooseProviderService } from "../../signed/provider-services.ts";
import { type BillsContext, SERVICE } from "../context.ts";
import type { BillsProviderService } from "../provider-service.ts";
import { type Biller, type BillerParam, type Params, targetParam } from "./biller.ts";
import { readBillers } from "./read-billers.ts";

export type BillerQuery = {
  readonly account: Account;
  readonly billerId: string;
  readonly params: Params;
  readonly reference: string;
};

export type FoundBiller = {
  readonly kind: "biller";
  readonly biller: Biller;
  readonly providerService: BillsProviderService;
  readonly provider: string;
  /** All providers that can take such a payment. */
  readonly among: readonly string[];
};

/** Finds an active biller and its provider, and checks the customer's parameters. */
export async function findBiller(
  ctx: BillsContext,
  question: BillerQuery,
  refuseFlow: (biller: Biller) => Refusal | null,
): Promise<FoundBiller | Refusal> {
  const { account, billerId, params, reference } = question;
  const choice = { service: SERVICE, operator: billerId, account, reference };
  const read = await readBillers(ctx, account);
  if (read.kind === "refused") return read;
  const listed = read.byId.get(billerId);
  if (!listed) {
    const unserved = chooseProviderService(ctx, ctx.providerServices.bills, choice);
    if (unserved.kind === "refused") return unserved;
    return read.isComplete ? notFound() : refused("busy", "The provider is not responding. Try again with the same details.");
  }
  const refuse = (biller: Biller) => (biller.active ? (refuseFlow(biller) ?? refuseParams(biller, params)) : inactive(biller.name));
  // Providers may want other parameters for the same biller. Those that do not accept the given ones are left out.
  const fitting = listed.offers.filter(({ item }) => refuse(item) === null);
  if (fitting.length === 0) return refuse(listed.offers[0].item) ?? notFound();
  const among = fitting.map(({ provider }) => provider);
  const chosen = chooseProviderService(ctx, ctx.providerServices.bills, { ...choice, among });
  if (chosen.kind === "refused") return chosen;
  const { providerService, provider } = chosen;
  const biller = fitting.find((one) => one.provider === provider)?.item;
  return biller ? { kind: "biller", biller, providerService, provider, among } : notFound();
}

function notFound(): Refusal {
  return refused("biller_not_found", "There is no biller with this biller_id.");
}

export function inactive(name: string): Refusal {
  return refused("biller_inactive", `${name} does not accept payments at the moment.`);
}

/** Checks a customer's parameters against the biller's. Returns a refusal with a reason for each field, or null. */
export function refuseParams(biller: Biller, params: Params): Refusal | null {
  const target = targetParam(biller);
  const unknown = Object.keys(params).filter((name) => !biller.params.some((one) => one.name === name));
  const faults = [
    ...biller.params.flatMap((one) => faultOf(one, Object.hasOwn(params, one.name) ? params[one.name] : undefined, one === target)),
    ...unknown.map((name) => [`params.${name}`, "is not a parameter of this biller"] as const),
  ];
  if (faults.length === 0) return null;
  return refused("invalid_customer_params", `${biller.name} does not accept these parameters.`, { fields: Object.fromEntries(faults) });
}

type Fault = readonly [field: string, why: string];

// More than any biller's parameter has. A provider's pattern can take quadratic time.
const MAX_CHARACTERS = 256;

function faultOf(param: BillerParam, value: string | undefined, isTarget: boolean): readonly Fault[] {
  const field = `params.${param.name}`;
  if (value === undefined) return param.optional ? [] : [[field, "is required"]];
  if (value.length > MAX_CHARACTERS) return [[field, "is too long"]];
  // A provider's pattern that takes too long decides nothing: the provider checks the value itself.
  if (boundedMatch(param.pattern, value) === null) return [[field, `must be a ${param.label.toLowerCase()} such as ${param.example}`]];
  // Contract, section 1: a biller can narrow what a target may be, but not widen it.
  const target = isTarget ? targetField.safeParse(value) : null;
  return target?.success === false ? [[field, target.error.issues[0]?.message ?? "is not a valid target"]] : [];
}
