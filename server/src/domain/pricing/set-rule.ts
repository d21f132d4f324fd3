import { indiaDateTime } from "../../platform/core/india-time.ts";
import { formatMoney } from "../../platform/core/money.ts";
import type { Rate } from "../../platform/core/rate.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Queryable, Transaction } from "../../platform/db/connection.ts";
import { readAccounts } from "../accounts/store.ts";
import { appendAudit } from "../audit/append.ts";
import { serviceDefinition } from "../shared/service-definition.ts";
import type { Invalid, PricingContext } from "./context.ts";
import type { Scope, Terms } from "./rule.ts";
import { insertRule, type NewRule } from "./store.ts";

export type SetRule = Scope &
  Terms & {
    /** The start of a later day; null for now. */
    readonly validFrom: number | null;
    readonly reason: string;
  };

export type SetResult = { readonly kind: "done"; readonly ruleId: string } | Invalid;

/** Sets the fee and commission of orders from a time on. The previous rule for the same scope ends then and is kept. */
export async function setRule(ctx: PricingContext, actor: string, input: SetRule): Promise<SetResult> {
  const result = await ctx.sql.begin((tx) => setRuleIn(ctx, tx, actor, input));
  if (result.kind === "done") await ctx.refresh();
  return result;
}

/** The same in the caller's transaction; `extraDetails` is added to the audit entry. */
export async function setRuleIn(
  ctx: PricingContext,
  tx: Transaction,
  actor: string,
  input: SetRule,
  extraDetails: JsonObject = {},
): Promise<SetResult> {
  const checked = await checkRule({ ...ctx, sql: tx }, input);
  if (checked.kind === "invalid") return checked;
  const { scope, now } = checked;
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
  await insertRule(tx, rule);
  await appendAudit(tx, new Date(now), {
    actor,
    action: "commercial.set",
    subject: { kind: "commercial", id: rule.ruleId },
    details: { ...detailsOf(rule), ...extraDetails },
  });
  return { kind: "done", ruleId: rule.ruleId };
}

type Checking = Pick<PricingContext, "catalogue" | "clock" | "sqlOf"> & { readonly sql: Queryable };
type Checked = { readonly kind: "checked"; readonly scope: Scope; readonly now: number } | Invalid;

/** Checks whether the rule can be set, without setting it. */
export async function checkRule(ctx: Checking, input: Pick<SetRule, keyof Scope | "validFrom">): Promise<Checked> {
  const scope = await readScope(ctx, input);
  if ("kind" in scope) return scope;
  const now = ctx.clock.now();
  if (input.validFrom !== null && input.validFrom <= now)
    return { kind: "invalid", fields: { valid_from: "Must be a future day. Leave it out to start now." } };
  return { kind: "checked", scope, now };
}

/** Resolves a rule's scope, with the operator's canonical code, or reports what does not exist. */
export async function readScope(ctx: Omit<Checking, "clock">, scope: Scope): Promise<Scope | Invalid> {
  const { accountId, service, operator } = scope;
  if (accountId !== null) {
    const [account] = await readAccounts(ctx.sqlOf?.(accountId) ?? ctx.sql, [accountId]);
    if (!account || account.closed_at)
      return { kind: "invalid", fields: { account_id: account ? "The account is closed." : "There is no such account." } };
  }
  if (service !== null && !ctx.catalogue.hasService(service)) return { kind: "invalid", fields: { service: "There is no such service." } };
  if (operator === null) return { accountId, service, operator };
  if (service === null) return { kind: "invalid", fields: { operator: "Name the service that the operator belongs to." } };
  if (serviceDefinition(service).operators === "provider") return { accountId, service, operator };
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

export function rateDetails(rate: Rate): JsonObject {
  return {
    flat: formatMoney(rate.flat),
    basis_points: rate.basisPoints.toString(),
    ...(rate.least === undefined ? {} : { min: formatMoney(rate.least) }),
    ...(rate.most === undefined ? {} : { max: formatMoney(rate.most) }),
  };
}
