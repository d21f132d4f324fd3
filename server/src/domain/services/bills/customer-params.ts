import { type Refusal, refused } from "../../shared/refusals.ts";
import type { Biller, BillerParam, Params } from "./biller.ts";

/** Checks a customer's parameters against the biller's. Returns a refusal with a reason for each field, or null. */
export function refuseParams(biller: Biller, params: Params): Refusal | null {
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
