import { type CallbackRefusal, refusedCallback } from "../../callbacks/refused-callback.ts";
import type { Finding, ProviderMessage, Report } from "../../connector.ts";
import type { Description } from "../definition.ts";
import type { CallbackDefinition } from "../language/callbacks.ts";
import type { ReadDefinition } from "../language/read.ts";
import { firstRule, lookupIn } from "../read/conditions.ts";
import { type Declared, differenceIn } from "../read/confirm.ts";
import { readFacts } from "../read/facts.ts";
import { type Place, placeIn } from "../read/path.ts";
import { type ReadContext, readText } from "../read/read-value.ts";
import { requestValues } from "../request/order-values.ts";
import type { Engine } from "../run/engine.ts";
import { doubtAbout, findingOf } from "../run/findings.ts";
import { authenticate } from "./authenticate.ts";
import { type MessageParts, messageParts } from "./message-documents.ts";

type Parts = Pick<Engine, "definition" | "secrets" | "clock" | "clean">;

/**
 * Reads a callback that is proved to be the provider's and identifies its order. Never throws. A dry run passes a proof of its
 * own, because a sample from a manual is not signed with our secret.
 */
export function readCallback(parts: Parts, message: ProviderMessage, prove: typeof authenticate = authenticate): Report | CallbackRefusal {
  const matching = callbacksAt(parts.definition, message);
  // Several descriptions of one address differ in what proves them or in where the values are.
  const readings = matching.map((callback) => readOne(parts, callback, message, prove));
  return (
    readings.find((reading) => !("refused" in reading)) ??
    readings.find((one) => "authentic" in one && one.authentic) ??
    readings[0] ??
    refusedCallback("not_expected")
  );
}

/** The callbacks that are described for the address and the method of a message. */
export function callbacksAt({ callbacks }: Description, message: ProviderMessage): readonly CallbackDefinition[] {
  return callbacks.filter((callback) => callback.path === trimmed(message.path) && (callback.method ?? message.method) === message.method);
}

function trimmed(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}

function readOne(
  parts: Parts,
  callback: CallbackDefinition,
  message: ProviderMessage,
  prove: typeof authenticate,
): Report | CallbackRefusal {
  const { definition } = parts;
  const read: ReadDefinition = callback.read ?? {};
  const given = signedParts(parts, callback, message);
  const { scope } = given;
  const proof = prove(callback, given);
  if (!proof.ok) return refusedCallback(proof.refused, proof.refused === "stale");
  const isAuthentic = !proof.isHint;
  const document = given.values(proof.claims);
  if (!document.ok) return refusedCallback("unreadable", isAuthentic);
  const place = placeIn(document, 200);
  const context: ReadContext = { definition, scope, ignoreCase: read.ignore_case === true };
  const reference = readText(callback.reference, place, context);
  if (reference === null || reference.trim() === "") return refusedCallback("no_reference", isAuthentic);
  const finding = proof.isHint ? ASK : meaningOf(parts, callback, read, place, context);
  if (finding === null) return refusedCallback("unknown_status", isAuthentic, reference);
  return {
    reference,
    finding,
    ...(callback.reference_is === "theirs" ? { referenceIs: "provider_ref" as const } : {}),
    ...(finding.kind === "succeeded" && read.confirm !== undefined ? { differs: comparison(parts, read, { place, context }) } : {}),
  };
}

/** Compares the message with its order, which is found by the reference only after the message was read. */
function comparison({ definition, clean }: Parts, read: ReadDefinition, message: Omit<Declared, "clean">): NonNullable<Report["differs"]> {
  return (order) => {
    const get = requestValues(order);
    return differenceIn(read, { ...message, clean }, { style: { amount: definition.amount, zone: definition.times }, get });
  };
}

/** What the proof of a message is made of. */
export function signedParts({ definition, secrets, clock }: Parts, callback: CallbackDefinition, message: ProviderMessage): MessageParts {
  return messageParts({ definition, secrets, now: clock.now() }, callback, message);
}

const ASK = { kind: "ask" } as const;

function meaningOf(
  { clean, clock }: Parts,
  callback: CallbackDefinition,
  read: ReadDefinition,
  place: Place,
  context: ReadContext,
): Finding | typeof ASK | null {
  const lookup = lookupIn(place, context.scope);
  const rule = firstRule(callback.outcome, lookup, context.ignoreCase);
  if (rule === null) return null;
  if (rule.means === "ask") return ASK;
  const facts = readFacts(read, place, context, clean);
  // The reference was read above. A success without its operator reference only makes us ask.
  const declares = { reference: false, operatorRef: read.operator_ref !== undefined };
  if (doubtAbout(rule, facts, "", declares) !== null) return ASK;
  return findingOf(rule, { facts, why: () => `the provider reported ${rule.means}`, clean, now: clock.now() });
}
