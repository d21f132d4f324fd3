import { z } from "zod";
import type { Catalogue } from "../../catalog/catalogue.ts";
import { type Answer, type Route, route } from "../../client-api/route.ts";
import { invalidFields, refused } from "../../shared/refusals.ts";
import { targetField } from "../fields.ts";
import { SERVICE } from "./context.ts";

const reply = z.object({
  ok: z.literal(true),
  operator: z.string(),
  circle: z.string(),
  ported: z.boolean().describe("True when the source knows that the number left this operator; a series never does"),
  source: z.literal("series").describe("The operator and circle that the number's series was given to"),
});

export function lookUpNumber(ctx: { readonly catalogue: Catalogue }): Route {
  return route({
    method: "GET",
    path: "/lookup",
    service: SERVICE,
    kind: "plain",
    summary: "The operator and circle of a mobile number, by its series",
    input: z.object({ account: targetField }),
    reply,
    handle: ({ input }) => lookUp(ctx.catalogue, input.account),
  });
}

function lookUp(catalogue: Catalogue, number: string): Answer {
  const operators = catalogue.operators().filter((one) => one.accountPattern.test(number));
  if (operators.length === 0) return invalidFields({ account: "is not a number that any operator accepts" });
  const origin = operators.some(isMobile) ? catalogue.numbering().originOf(number) : null;
  if (!origin) return refused("not_found", "Only a mobile number tells its operator and circle.");
  return { kind: "record", fields: { ok: true, ...origin, ported: false, source: "series" } };
}

function isMobile(operator: { readonly kind: string }): boolean {
  return operator.kind.startsWith("mobile_");
}
