import type { Route } from "../../../domain/client-api/route.ts";
import type { JsonObject, JsonValue } from "../../../platform/core/strict-json.ts";
import { RESULT_CODES } from "../replies.ts";
import { type Assembly, assemble } from "./assemble.ts";
import { listOf, objectOf } from "./schemas.ts";

/** Named examples of a media type. */
export type Examples = Readonly<Record<string, JsonObject>>;

/** Examples of requests. */
export function inputExamples(route: Route, schema: JsonObject): Examples {
  return { request: { summary: route.summary, value: assemble(schema, assemblyOf(route, true)) } };
}

export function parameterExample(route: Route, name: string, schema: JsonObject): JsonValue {
  return assemble(schema, assemblyOf(route, false), [name]);
}

/** Examples of replies: one per state of a transaction, otherwise one per alternative of the schema. */
export function replyExamples(route: Route, schema: JsonObject): Examples {
  const branches = listOf(schema["anyOf"]);
  const shapes = branches.length > 0 ? branches.map(objectOf) : [schema];
  const made = shapes.flatMap((shape, place) => {
    const value = objectOf(assemble(shape, assemblyOf(route, false)));
    const suffix = place === 0 ? "" : `_${place + 1}`;
    return isTransaction(shape) ? statesOf(route, value, suffix) : [[`answer${suffix}`, { summary: "As asked", value }] as const];
  });
  return Object.fromEntries(made);
}

function assemblyOf(route: Route, onlyRequired: boolean): Assembly {
  return { own: route.examples ?? {}, service: route.service, onlyRequired };
}

function isTransaction(schema: JsonObject): boolean {
  const { order_id: order, balance } = objectOf(schema["properties"]);
  return order !== undefined && balance !== undefined;
}

const NOUNS: Readonly<Record<string, string>> = {
  recharge: "recharge",
  bills: "bill payment",
  transfers: "money transfer",
  bus: "bus booking",
  aeps: "AEPS transaction",
};
const STATES = [
  { status: "SUCCESS", words: "succeeded", summary: "Done" },
  { status: "pending", words: "is being processed", summary: "Pending: a callback follows, and the lookup returns the result" },
  { status: "FAILED", words: "failed", summary: "Failed: nothing is charged" },
] as const;

function statesOf(route: Route, done: JsonObject, suffix: string): readonly (readonly [string, JsonObject])[] {
  const noun = NOUNS[route.service] ?? "transaction";
  return STATES.map(({ status, words, summary }) => {
    const finished = { ...done, status, code: RESULT_CODES[status], message: `The ${noun} ${words}.` };
    return [
      `${status.toLowerCase()}${suffix}`,
      { summary, value: status === "SUCCESS" ? finished : unfinished(finished, status) },
    ] as const;
  });
}

// Fields that only a successful transaction has.
const NOT_YET: JsonObject = {
  operator_ref: null,
  rrn: null,
  customer_balance: null,
  entries: [],
  utr: "",
  bbps_ref: "",
  ticket_no: "",
  pnr: "",
  verified_name: "",
};

function unfinished(finished: JsonObject, status: "pending" | "FAILED"): JsonObject {
  const own = { account_status: status === "FAILED" ? "INVALID" : "UNKNOWN", name_match_score: "0" };
  const balance = status === "FAILED" ? { balance: "10000.0000" } : {};
  return replaced(finished, { ...NOT_YET, ...own, ...balance });
}

function replaced(value: JsonObject, by: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, old]) => {
      const inside = typeof old === "object" && old !== null && !Array.isArray(old) ? replaced(objectOf(old), by) : old;
      return [name, name in by ? (by[name] as JsonValue) : inside];
    }),
  );
}
