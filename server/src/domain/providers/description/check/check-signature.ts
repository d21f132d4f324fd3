import type { Fault } from "../../settings/faults.ts";
import type { Description } from "../definition.ts";
import type { CallbackAuth, CallbackDefinition } from "../language/callbacks.ts";
import { isListReader, type ListReader, type Reader } from "../language/read.ts";
import { type Path, parsePath } from "../read/path.ts";
import { placeholdersIn } from "../template/parse.ts";

// Some providers sign only part of a message, such as the reference and the status. Whoever has one such message can change
// everything else in it.

type Signed = Extract<CallbackAuth, { readonly kind: "hmac" | "hash" | "rsa" }>;
/** A field that a callback reads, and where the description says so. */
type Use = { readonly path: string; readonly place: string };

/** What decides an order although the signature does not cover it. */
export function unsignedFaults(callback: CallbackDefinition, place: string): readonly Fault[] {
  const { auth } = callback;
  if (!isSigned(auth)) return [];
  const covers = coverageOf(auth, callback);
  const deciding = isTrusted(callback)
    ? [
        ...usesOf(callback.reference, `${place}.reference`),
        ...usesOf(callback.read?.provider_ref, `${place}.read.provider_ref`),
        ...conditionUses(callback, place),
      ]
    : [];
  return [
    ...deciding.flatMap((use) => (covers(use.path) ? [] : [{ path: use.place, message: decidingMessage(use.path, callback) }])),
    ...acknowledgementFaults(auth, callback, covers, `${place}.auth.unsigned`),
  ];
}

function decidingMessage(path: string, callback: CallbackDefinition): string {
  const group = callback.read?.inner === undefined ? outerGroup(callback) : "inner";
  return `The signature does not cover ${path}, so anybody who has a signed message can change it. If the provider signs it, add {${group}.${path}} to auth.text; otherwise let the rules mean ask.`;
}

/** What is taken from callbacks although the signature does not cover it, and decides nothing. */
export function unsignedWarnings({ callbacks }: Description): readonly Fault[] {
  return callbacks.flatMap((callback, index) => {
    const { auth } = callback;
    if (!isSigned(auth) || !isTrusted(callback)) return [];
    const covers = coverageOf(auth, callback);
    return factUses(callback, `callbacks[${index}]`)
      .filter(({ path }) => !covers(path) && !auth.unsigned.includes(path))
      .map(({ path, place }) => ({
        path: place,
        message: `The signature does not cover ${path}: it may be changed on the way. Let the rules mean ask to take it from the status query, or list it under auth.unsigned to accept that.`,
      }));
  });
}

function isSigned(auth: CallbackAuth): auth is Signed {
  return auth.kind === "hmac" || auth.kind === "hash" || auth.kind === "rsa";
}

/** A message whose rules all mean ask is only a hint, whatever it says. */
function isTrusted({ outcome }: CallbackDefinition): boolean {
  return outcome.some(({ means }) => means !== "ask");
}

// A filter that drops a part of the value leaves that part unsigned.
const WHOLE_FILTERS: ReadonlySet<string> = new Set(["upper", "lower", "url", "xml", "base64", "pad", "json", "number", "boolean"]);

function coverageOf({ text }: Signed, callback: CallbackDefinition): (path: string) => boolean {
  const whole = placeholdersIn(text).filter(({ filters }) => filters.every(({ name }) => WHOLE_FILTERS.has(name)));
  const names = new Set(whole.map(({ name }) => name));
  if (callback.from === "body" && names.has("body")) return () => true;
  const outer = outerGroup(callback);
  const inner = callback.read?.inner;
  const isInnerWhole = inner !== undefined && names.has(`${outer}.${inner.at}`);
  const isSignedField = (path: Path) => {
    if (inner === undefined || path.from === "outer") return names.has(`${outer}.${fieldOf(path)}`);
    return isInnerWhole || names.has(`inner.${fieldOf(path)}`);
  };
  // The alternatives of a path are all read, so all must be signed.
  return (path) => parsePath(path).every((one) => one.from === "http" || isSignedField(one));
}

/** How a signature names a field of the message itself, not of a document inside it. */
function outerGroup({ from }: CallbackDefinition): "query" | "field" {
  return from === "query" ? "query" : "field";
}

/** A choice from a list is no field that a template could name. */
function fieldOf({ steps }: Path): string {
  return steps.map(({ name, where }) => (where === undefined ? name : "[]")).join(".");
}

function conditionUses({ outcome }: CallbackDefinition, place: string): readonly Use[] {
  return outcome.flatMap(({ when, means }, index) =>
    means === "ask" ? [] : Object.keys(when).map((path) => ({ path, place: `${place}.outcome[${index}].when.${path}` })),
  );
}

const FACTS = ["operator_ref", "message", "balance", "cost"] as const;

function factUses({ read = {} }: CallbackDefinition, place: string): readonly Use[] {
  return [
    ...FACTS.flatMap((name) => usesOf(read[name], `${place}.read.${name}`)),
    ...Object.keys(read.confirm ?? {}).map((path) => ({ path, place: `${place}.read.confirm.${path}` })),
  ];
}

/** An acknowledgement that acknowledges nothing would hide a later mistake. */
function acknowledgementFaults(
  { unsigned }: Signed,
  callback: CallbackDefinition,
  covers: (path: string) => boolean,
  place: string,
): readonly Fault[] {
  const used = new Set(factUses(callback, "").map(({ path }) => path));
  return unsigned.flatMap((path, index) => {
    if (covers(path)) return [{ path: `${place}[${index}]`, message: "The signature covers it." }];
    return used.has(path)
      ? []
      : [{ path: `${place}[${index}]`, message: "Is not read as operator_ref, message, balance, cost or in confirm." }];
  });
}

function usesOf(reader: Reader | undefined, place: string): readonly Use[] {
  return reader === undefined ? [] : pathsIn(reader).map((path) => ({ path, place }));
}

/** Every path that a reader takes a value from. */
function pathsIn(reader: Reader): readonly string[] {
  if (typeof reader === "string") return [reader];
  if ("object" in reader) return Object.values(reader.object).flatMap(pathsIn);
  if ("choices" in reader) return reader.choices.flatMap(({ when }) => Object.keys(when));
  if ("sum" in reader) return [...listPaths(reader.sum), ...(reader.less === undefined ? [] : listPaths(reader.less))];
  if (isListReader(reader)) return listPaths(reader);
  return [...(reader.path === undefined ? [] : [reader.path]), ...(reader.paths ?? [])];
}

function listPaths({ list, items = [] }: ListReader): readonly string[] {
  return [...(list === undefined ? [] : [list]), ...items.flatMap(({ item }) => Object.values(item).flatMap(pathsIn))];
}
