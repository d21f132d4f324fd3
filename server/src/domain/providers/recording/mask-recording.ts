import type { JsonObject, JsonValue } from "../../../platform/core/strict-json.ts";
import type { Secrets } from "../description/request/scope.ts";
import { treatmentOf } from "../masking/field-names.ts";
import { maskBody } from "../masking/mask-body.ts";
import { HIDDEN, secretMask, textMask } from "../masking/mask-secrets.ts";
import type { MaskRules, StandIns } from "../masking/mask-value.ts";
import type { Call, Evidence, Exchange } from "../wire/call.ts";
import { requestText } from "../wire/evidence.ts";
import type { RecordedAnswer, RecordedExchange } from "./recording.ts";

/** One exchange as it was, before anything is masked but the parts of secrets that only the description tells apart. */
export type RawExchange = {
  readonly operation: string;
  readonly call: Call;
  readonly exchange: Exchange;
  /** Its token, signatures and keys. */
  readonly hidden: readonly string[];
};

export function rawExchange(call: Call, exchange: Exchange, evidence: Evidence | undefined): RawExchange {
  const { operation = "", shown, hidden = [] } = evidence ?? {};
  return { operation, call: shown ? { ...call, ...shown } : call, exchange, hidden };
}

/** What a whole conversation is masked with, so that one value is written in the same way in all its places. */
export type ConversationMask = {
  readonly request: (call: Call) => readonly string[];
  readonly exchange: (raw: RawExchange) => RecordedExchange;
  readonly input: (input: JsonObject) => JsonObject;
};

export type Masked = {
  readonly secrets: Secrets;
  readonly hidden: readonly string[];
  readonly inputs: readonly JsonObject[];
  /** Values that decide what an answer means, which a rule names. They stay. */
  readonly kept: ReadonlySet<string>;
};

// Letters that no format escapes, so that a masked token can be sent and compared in a replay.
const HIDDEN_VALUE = "hidden_value";
const MASKED_PAN = "AAAAA0000A";
const PAN = /^[A-Za-z]{5}[0-9]{4}[A-Za-z]$/;

/**
 * A recording is masked as evidence is, but each value is replaced by one of the same form: zeros before the last four digits of
 * a number, for example. A replay can then read the answers and send the same again.
 */
export function conversationMask({ secrets, hidden, inputs, kept }: Masked): ConversationMask {
  const standIns = standInsFor(kept);
  const known = inputs.flatMap((input) => sensitiveValues(input, standIns));
  const mask = secretMask(Object.values(secrets));
  const values = [...new Set([...hidden, ...Object.values(secrets).flatMap(encodedForms)])].sort((one, other) => other.length - one.length);
  // What is hidden comes first, because masking a secret inside a token would leave the rest of the token.
  const maskTexts = textMask(values);
  const hide = (text: string) => replaceKnown(mask(maskTexts(text)).replaceAll(HIDDEN, HIDDEN_VALUE), known);
  const rules: MaskRules = { secrets: hide, readable: inputs.flatMap(readableIn), standIns };
  const request = (call: Call) => requestText(call, rules).replaceAll(HIDDEN, HIDDEN_VALUE).split("\n");
  return {
    request,
    exchange: ({ operation, call, exchange }) => ({ operation, request: [...request(call)], answer: answerOf(exchange, rules) }),
    input: (input) => JSON.parse(maskBody(JSON.stringify(replacedIn(input, standIns)), rules)) as JsonObject,
  };
}

function standInsFor(kept: ReadonlySet<string>): StandIns {
  const unlessKept = (replace: (value: string) => string) => (value: string) => (kept.has(value) ? value : replace(value));
  return {
    hidden: unlessKept((value) => {
      // A public key is needed to send the same again, and is no secret.
      if (/^-----BEGIN (?:PUBLIC KEY|CERTIFICATE)-----/.test(value)) return value;
      if (/^[0-9]+$/.test(value)) return "0".repeat(value.length);
      return PAN.test(value) ? MASKED_PAN : HIDDEN_VALUE;
    }),
    shortened: unlessKept((value) => `${value.slice(0, -4).replace(/[0-9A-Za-z]/g, "0")}${value.slice(-4)}`),
  };
}

function encodedForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [bytes.toString("base64"), bytes.toString("base64url"), bytes.toString("hex"), bytes.toString("hex").toUpperCase()];
}

const READABLE_INPUTS = ["reference", "amount", "provider_ref"];

function readableIn(input: JsonObject): readonly string[] {
  return READABLE_INPUTS.map((name) => input[name]).filter((value): value is string => typeof value === "string");
}

type Replacement = { readonly pattern: RegExp; readonly standIn: string };

// A shorter value may also be an amount or a code elsewhere; it is masked by the name of its field alone.
const SHORTEST_KNOWN = 6;

/** Identities and accounts of an input, which may stand in fields of any name. */
function sensitiveValues(input: JsonObject, standIns: StandIns): readonly Replacement[] {
  return leavesOf(input)
    .map(([name, value]) => ({ value, standIn: standInOf(name, value, standIns) }))
    .filter(({ value, standIn }) => value.length >= SHORTEST_KNOWN && value !== standIn)
    .map(({ value, standIn }) => ({ pattern: standingAlone(value), standIn }));
}

function standInOf(name: string, value: string, { hidden, shortened }: StandIns): string {
  const treatment = /(?:^|_)account$/.test(name) ? "last_four" : treatmentOf(name);
  if (treatment === "hidden") return hidden(value);
  return treatment === "last_four" ? shortened(value) : value;
}

function leavesOf(value: JsonValue, name = ""): readonly (readonly [name: string, value: string])[] {
  if (typeof value === "string") return [[name, value]];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => leavesOf(item, name));
  return Object.entries(value).flatMap(([key, member]) => leavesOf(member as JsonValue, key));
}

function replacedIn(value: JsonValue, standIns: StandIns, name = ""): JsonValue {
  if (typeof value === "string") return standInOf(name, value, standIns);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => replacedIn(item, standIns, name));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replacedIn(member as JsonValue, standIns, key)]));
}

function standingAlone(value: string): RegExp {
  return new RegExp(`(?<![A-Za-z0-9])${value.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")}(?![A-Za-z0-9])`, "g");
}

function replaceKnown(text: string, known: readonly Replacement[]): string {
  return known.reduce((rest, { pattern, standIn }) => rest.replace(pattern, () => standIn), text);
}

// They describe the bytes on the connection, not the answer.
const OF_THE_CONNECTION = new Set(["content-length", "transfer-encoding", "connection", "keep-alive", "date"]);

function answerOf(exchange: Exchange, rules: MaskRules): RecordedAnswer {
  if (exchange.kind !== "answered") {
    const { kind, why, fault } = exchange;
    return { kind, why: rules.secrets(why), ...(fault === undefined ? {} : { fault }) };
  }
  const { status, headers, body, endMarked } = exchange.answer;
  const text = body.toString("utf8");
  const isUtf8 = Buffer.from(text).equals(body);
  const kept = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.has(name));
  return {
    status,
    headers: Object.fromEntries(
      kept.map(([name, value]) => [name, treatmentOf(name) === "hidden" ? HIDDEN_VALUE : maskBody(value, rules)]),
    ),
    body: maskBody(isUtf8 ? text : body.toString("latin1"), rules),
    ...(isUtf8 ? {} : { encoding: "latin1" as const }),
    ...(endMarked ? {} : { unmarked_end: true as const }),
  };
}
