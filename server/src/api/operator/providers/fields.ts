import { z } from "zod";
import { parseMoney } from "../../../platform/core/money.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";

const reason = z.string().max(500).optional();
// Provider names, and codes of services and operators in a route; `*` matches any.
const name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "Must be a name.");
const nameOrAny = z.string().regex(/^(?:\*|[A-Za-z0-9_-]{1,64})$/, "Must be a name or *.");
const WHOLE = "Must be a whole number from 1 to 1000.";
const place = z.int(WHOLE).min(1, WHOLE).max(1000, WHOLE).optional();
/** The same in a query. */
const placeText = z
  .string()
  .regex(/^(?:[1-9]\d{0,2}|1000)$/, WHOLE)
  .meta({ examples: ["100"] })
  .transform(Number)
  .optional();

/** The connector validates the content. */
const definition = z.custom<JsonObject>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "Must be an object: a provider's description.",
);
const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "Must be an object.",
);
const secret = z
  .string()
  .min(1)
  .max(4000)
  .regex(/^[^\p{Cc}]*$/u, "Must not contain control characters.");

export const newProviderBody = z.strictObject({ definition, secrets: z.record(z.string().max(64), secret).optional(), reason });
export const providerBody = z.strictObject({ definition, secrets: z.record(z.string().max(64), secret.nullable()).optional(), reason });
export const switchBody = z.strictObject({ enabled: z.boolean(), reason });
export const refreshBody = z.strictObject({ accept_smaller: z.boolean().default(false), reason });
export const secretBody = z.strictObject({ name: z.string().max(64), value: secret.nullable(), reason });

const version = z.int().min(1).max(1_000_000);
export const candidateBody = z.strictObject({
  version: version.describe("The candidate, so that a share meant for another one is refused."),
  percent: z.int("Must be a whole number from 0 to 100.").min(0).max(100),
  reason,
});
export const dropBody = z.strictObject({ version, reason });
export const versionBody = z.strictObject({ reason });

const amount = z.string().transform((text, ctx) => {
  const money = parseMoney(text);
  if (money !== null && money > 0n) return money;
  ctx.addIssue("Must be an amount greater than zero, such as 199 or 199.50.");
  return z.NEVER;
});

const text = z.string().min(1).max(200).optional();

export const testBody = z.strictObject({
  definition: definition.optional(),
  operation: text.describe("Such as recharge.pay; the description's first operation by default."),
  input: jsonObject.optional().describe("The input of a query."),
  sample: z
    .strictObject({ reference: text, target: text, operator: text, circle: text, amount: amount.optional() })
    .default({ reference: undefined, target: undefined, operator: undefined, circle: undefined, amount: undefined }),
  answer: z
    .strictObject({
      body: z.string(),
      http_status: z.int().min(100).max(599).default(200),
      to: z.enum(["request", "status", "callback"]).default("request"),
      step: text.describe("The step that it answers; the last one by default."),
    })
    .optional(),
  compare_samples: z
    .boolean()
    .default(false)
    .describe("Reads the samples of the stored description by this one, and lists the differences."),
});

const routeKey = { service: nameOrAny, operator: nameOrAny, provider: name };
export const routeFilter = { service: nameOrAny.optional(), operator: nameOrAny.optional(), provider: name.optional() };
export const routingPlanQuery = z.object({ service: nameOrAny, operator: nameOrAny, without: name.optional() });
export const routeImpactQuery = z.object({ ...routeKey, priority: placeText, weight: placeText });
export const routeBody = z.strictObject({ ...routeKey, priority: place, weight: place, enabled: z.boolean().optional(), reason });
export const routeDeleteBody = z.strictObject({ ...routeKey, reason });
export const breakerBody = z.strictObject({ provider: name, operator: name.optional(), reason });
