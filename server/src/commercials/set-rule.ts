import { readAccounts } from "../accounts/store.ts";
import { appendAudit } from "../audit/append.ts";
import { indiaDateTime } from "../kernel/india-time.ts";
import { formatMoney } from "../kernel/money.ts";
import type { Rate } from "../kernel/rate.ts";
import type { JsonObject } from "../kernel/strict-json.ts";
import type { CommercialsContext, Invalid } from "./context.ts";
import type { Scope, Terms } from "./rule.ts";
import { insertRule, type NewRule } from "./store.ts";

export type SetRule = Scope &
  Terms & {
    /** When a later day begins; null for now. */
    readonly validFrom: number | null;
    readonly reason: string;
  };

export type SetResult = { readonly kind: "done"; readonly ruleId: string } | Invalid;

/** Agrees on what orders cost and earn from a moment on. What holds for the same until then ends there, and is kept. */
export async function setRule(ctx: CommercialsContext, actor: string, input: SetRule): Promise<SetResult> {
  const scope = await readScope(ctx, input);
  if ("kind" in scope) return scope;
  const now = ctx.clock.now();
  if (input.validFrom !== null && input.validFrom <= now)
    return { kind: "invalid", fields: { valid_from: "Must be a day to come; leave it out for now." } };
  const { fee, commission, reason } = input;
  const rule: NewRule = {
    ruleId: ctx.ids.entry(now),
    ...scope,
    fee,
    commission,
    reason,
    validFrom: input.validFrom ?? now,
    createdBy: actor,
    createdAt: now,
  };
  await ctx.sql.begin(async (tx) => {
    await insertRule(tx, rule);
    await appendAudit(tx, new Date(now), {
      actor,
      action: "commercial.set",
      subject: { kind: "commercial", id: rule.ruleId },
      details: detailsOf(rule),
    });
  });
  await ctx.refresh();
  return { kind: "done", ruleId: rule.ruleId };
}

/** What a rule is for, with the operator's own code; or what of it there is not. */
export async function readScope(ctx: Pick<CommercialsContext, "sql" | "catalogue">, scope: Scope): Promise<Scope | Invalid> {
  const { accountId, service, operator } = scope;
  if (accountId !== null) {
    const [account] = await readAccounts(ctx.sql, [accountId]);
    if (!account || account.closed_at)
      return { kind: "invalid", fields: { account_id: account ? "The account is closed." : "There is no such account." } };
  }
  if (service !== null && !ctx.catalogue.hasService(service)) return { kind: "invalid", fields: { service: "There is no such service." } };
  if (operator === null) return { accountId, service, operator };
  if (service === null) return { kind: "invalid", fields: { operator: "Say which service the operator belongs to." } };
  // Other services' operators are billers and banks, which only their providers know.
  if (service !== "recharge") return { accountId, service, operator };
  const known = ctx.catalogue.operator(operator);
  return known ? { accountId, service, operator: known.operator } : { kind: "invalid", fields: { operator: "There is no such operator." } };
}

function detailsOf(rule: NewRule): JsonObject {
  return {
    account_id: rule.accountId,
    service: rule.service,
    operator: rule.operator,
    fee: rateDetails(rule.fee),
    commission: rateDetails(rule.commission),
    valid_from: indiaDateTime(rule.validFrom),
    ...(rule.reason === "" ? {} : { reason: rule.reason }),
  };
}

function rateDetails(rate: Rate): JsonObject {
  return {
    flat: formatMoney(rate.flat),
    basis_points: rate.basisPoints.toString(),
    ...(rate.least === undefined ? {} : { min: formatMoney(rate.least) }),
    ...(rate.most === undefined ? {} : { max: formatMoney(rate.most) }),
  };
}
