import { z } from "zod";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Catalogue } from "../../catalog/catalogue.ts";
import { type Answer, type Route, route } from "../../client-api/route.ts";
import { invalidFields, refused } from "../../shared/refusals.ts";
import { targetField } from "../fields.ts";
import { createRechargeQueries } from "./ask-provider.ts";
import { type RechargeContext, SERVICE } from "./context.ts";
import type { FoundNumber } from "./provider-service.ts";

const reply = z.object({
  ok: z.literal(true),
  operator: z.string(),
  circle: z.string(),
  ported: z.boolean().describe("True when the source knows that the number left this operator; a series never does"),
  source: z
    .enum(["series", "provider"])
    .describe("series: the operator and circle that the number's series was given to; provider: a provider of recharges knows the number"),
});

export function lookUpNumber(ctx: RechargeContext): Route {
  const ask = createRechargeQueries(ctx);
  const known = createLookupCache(ctx);
  return route({
    method: "GET",
    path: "/lookup",
    service: SERVICE,
    kind: "plain",
    summary: "Looks up operator and circle of a mobile number",
    input: z.object({ account: targetField }),
    reply,
    handle: async ({ account, input }) => {
      const answer = lookUp(ctx.catalogue, input.account);
      if (answer.kind !== "record") return answer;
      const find = () => ask(account, null, (service) => service.lookUp?.(input.account) ?? null);
      const found = await known(account.sandbox, input.account, find);
      return found ? { kind: "record", fields: { ...answer.fields, ...providerFields(ctx.catalogue, found) } } : answer;
    },
  });
}

function lookUp(catalogue: Catalogue, number: string): Answer {
  const operators = catalogue.operators().filter((one) => one.accountPattern.test(number));
  if (operators.length === 0) return invalidFields({ account: "is not a number that any operator accepts" });
  const origin = operators.some(isMobile) ? catalogue.numbering().originOf(number) : null;
  if (!origin) return refused("not_found", "Only a mobile number tells its operator and circle.");
  return { kind: "record", fields: { ok: true, ...origin, ported: false, source: "series" } };
}

/** Codes that are not ours are left out, so that the series answers. */
function providerFields(catalogue: Catalogue, { operator, circle, ported }: FoundNumber): JsonObject {
  const code = catalogue.operator(operator)?.operator;
  if (code === undefined) return {};
  const known = circle !== null && catalogue.numbering().circle(circle) !== null;
  return { operator: code, ...(known ? { circle } : {}), ported, source: "provider" };
}

const KEPT_MILLISECONDS = 10 * 60_000;
const MAX_KEPT = 10_000;

/** Remembers what providers said for some minutes, separately for sandbox accounts. */
function createLookupCache({ clock }: RechargeContext) {
  const kept = new Map<string, { readonly found: FoundNumber; readonly until: number }>();
  return async (sandbox: boolean, number: string, find: () => Promise<FoundNumber | null>): Promise<FoundNumber | null> => {
    const key = `${sandbox} ${number}`;
    const before = kept.get(key);
    if (before && before.until > clock.now()) return before.found;
    const found = await find();
    kept.delete(key);
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size >= MAX_KEPT) kept.delete(oldest);
    if (found) kept.set(key, { found, until: clock.now() + KEPT_MILLISECONDS });
    return found;
  };
}

function isMobile(operator: { readonly kind: string }): boolean {
  return operator.kind.startsWith("mobile_");
}
