import { z } from "zod";
import { RULE_STATES } from "../../../domain/pricing/list-rules.ts";
import { indiaMidnight, indiaMonthSpan } from "../../../platform/core/india-time.ts";
import { type Money, NO_MONEY, parseMoney } from "../../../platform/core/money.ts";
import type { Rate } from "../../../platform/core/rate.ts";
import { timeListQuery } from "../../sites/lists.ts";

const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "Must be an id.");
// Billers, banks and bus companies are operators too, and some use names as codes.
const operator = z.string().trim().min(1).max(120);
const reason = z.string().trim().max(500).optional();

export const ruleParams = z.object({ rule_id: id });
export const endBody = z.strictObject({ reason });

export const rulesQuery = timeListQuery.extend({
  account_id: id.optional(),
  service: id.optional(),
  operator: operator.optional(),
  state: z.enum(RULE_STATES).optional(),
});

function amountText(isFit: (money: Money) => boolean, words: string) {
  return z.string().transform((text, ctx) => {
    const money = parseMoney(text);
    if (money !== null && isFit(money)) return money;
    ctx.addIssue(words);
    return z.NEVER;
  });
}

const aboveZero = amountText((money) => money > 0n, "Must be an amount greater than zero, such as 2.50.");
const orZero = amountText(() => true, "Must be an amount, such as 2.50.");

const PERCENT = /^(100|[1-9]?[0-9])(?:\.([0-9]{1,2}))?$/;
export const percent = z.string().transform((text, ctx) => {
  const [, whole, fraction = ""] = PERCENT.exec(text) ?? [];
  const basisPoints = whole === undefined ? -1n : BigInt(whole + fraction.padEnd(2, "0"));
  if (basisPoints >= 0n && basisPoints <= 10_000n) return basisPoints;
  ctx.addIssue("Must be a percentage from 0 to 100 with at most two places, such as 1.25.");
  return z.NEVER;
});

const rate = z
  .strictObject({
    percent: percent.default(0n),
    flat: orZero.default(NO_MONEY),
    min: aboveZero.nullable().default(null),
    max: aboveZero.nullable().default(null),
  })
  .superRefine((value, ctx) => {
    for (const bound of ["min", "max"] as const)
      if (value[bound] !== null && value.percent === 0n)
        ctx.addIssue({ code: "custom", path: [bound], message: "Needs a percent, which it bounds." });
    if (value.min !== null && value.max !== null && value.min > value.max)
      ctx.addIssue({ code: "custom", path: ["max"], message: "Must not be less than min." });
  })
  .transform(
    (value): Rate => ({
      flat: value.flat,
      basisPoints: value.percent,
      ...(value.min === null ? {} : { least: value.min }),
      ...(value.max === null ? {} : { most: value.max }),
    }),
  )
  .default({ flat: NO_MONEY, basisPoints: 0n });

const terms = {
  account_id: id.optional(),
  all_accounts: z.literal(true, "Must be true, or left out.").optional(),
  service: id.nullable().default(null),
  operator: operator.nullable().default(null),
  fee: rate,
  commission: rate,
};

const laterDay = z.string().transform((text, ctx) => {
  const midnight = indiaMidnight(text);
  if (midnight !== null) return midnight;
  ctx.addIssue("Must be a day YYYY-MM-DD in India, or null for now.");
  return z.NEVER;
});

const SCOPE_REQUIRED = "Give account_id, or all_accounts: true for a rule that applies to every account.";

/** A rule for all accounts must be explicit, so that a forgotten account_id does not apply it to everybody. */
function requireScope(body: { readonly account_id?: string | undefined; readonly all_accounts?: true | undefined }, ctx: z.RefinementCtx) {
  if ((body.account_id === undefined) === (body.all_accounts === undefined))
    ctx.addIssue({ code: "custom", path: ["account_id"], message: SCOPE_REQUIRED });
}

export const impactBody = z.strictObject(terms).superRefine(requireScope);
export const ruleBody = z.strictObject({ ...terms, valid_from: laterDay.nullable().default(null), reason }).superRefine(requireScope);

export const previewQuery = z.object({ account_id: id, service: id, operator, amount: aboveZero });

export const month = z.string().transform((text, ctx) => {
  const span = indiaMonthSpan(text);
  if (span !== null) return { month: text, ...span };
  ctx.addIssue("Must be a month YYYY-MM.");
  return z.NEVER;
});

export const statementQuery = z.object({ month });

/** For example `2026-11.csv`; anything else is not found. */
export const statementFileParams = z.object({
  account_id: id,
  file: z
    .string()
    .regex(/^[0-9]{4}-[0-9]{2}\.csv$/)
    .transform((file) => file.slice(0, 7))
    .pipe(month),
});
