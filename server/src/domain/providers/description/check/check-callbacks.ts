import { parseRange } from "../../../../platform/network/address.ts";
import type { Fault } from "../../settings/faults.ts";
import type { Description } from "../definition.ts";
import type { CallbackAuth, CallbackDefinition } from "../language/callbacks.ts";
import { type KnownNames, knownNames } from "../request/known-names.ts";
import { placeholdersIn } from "../template/parse.ts";
import type { NameContext } from "./check-names.ts";
import { conditionFaults, confirmFaults, readerFaults, readFaults } from "./check-readers.ts";
import { unsignedFaults } from "./check-signature.ts";
import { indefiniteFault } from "./definite.ts";

const NOT_DECRYPTED =
  "A description cannot open an encrypted callback. Leave the callback out, so that the order's status is asked for, or connect the provider by a plug-in.";
const NO_NAMES: KnownNames = new Map();
/** Callbacks belong to any transaction of the provider, so they are compared with what all transactions have. */
const ORDER_NAMES = knownNames("recharge.pay", "status");

export function callbackFaults(definition: Description, used: Set<string>): readonly Fault[] {
  const { callbacks, callback_reply: reply } = definition;
  const alone = reply !== undefined && callbacks.length === 0 ? [{ path: "callback_reply", message: "There are no callbacks." }] : [];
  const names = placeholdersIn(reply?.body ?? "").map(({ name }) => name);
  const unknown = names.filter((name) => !/^(?:field|query|header)\..|^constant\./.test(name) || !isKnown(definition, name));
  const ofReply = unknown.map((name) => ({
    path: "callback_reply.body",
    message: `There is no placeholder {${name}} here. Use {field.…}, {query.…}, {header.…} or {constant.…}.`,
  }));
  return [...alone, ...ofReply, ...callbacks.flatMap((callback, index) => oneCallback(definition, callback, `callbacks[${index}]`, used))];
}

function oneCallback(definition: Description, callback: CallbackDefinition, place: string, used: Set<string>): readonly Fault[] {
  const context: NameContext = { definition, known: NO_NAMES, saved: [], hasPages: false, hasToken: false, used };
  return [
    ...authFaults(definition, callback, place),
    ...unsignedFaults(callback, place),
    ...readerFaults(callback.reference, `${place}.reference`, {}, context),
    ...(callback.read === undefined ? [] : readFaults(callback.read, `${place}.read`, context)),
    ...(callback.read?.decrypt === undefined ? [] : [{ path: `${place}.read.decrypt`, message: NOT_DECRYPTED }]),
    ...(callback.read === undefined ? [] : confirmFaults(callback.read, `${place}.read`, { ...context, known: ORDER_NAMES })),
    ...callback.outcome.flatMap((rule, index) => conditionFaults(rule.when, `${place}.outcome[${index}].when`, context)),
    ...callback.outcome.flatMap((rule, index) => wideFaults(rule, `${place}.outcome[${index}].when`)),
    ...(callback.outcome.length === 0 && callback.auth.kind !== "hint"
      ? [{ path: `${place}.outcome`, message: "Say what the messages mean: a list of rules {when, means}." }]
      : []),
  ];
}

/** A message has no HTTP status that would say anything. */
function wideFaults({ means, when }: CallbackDefinition["outcome"][number], path: string): readonly Fault[] {
  const { $http: _, ...values } = when;
  const isOpen = Object.keys(values).length === 0 && means !== "ask";
  const wide = isOpen ? `Every message would be ${means}. Name the values that say so.` : indefiniteFault(means, values);
  return wide === null ? [] : [{ path, message: wide }];
}

function authFaults(definition: Description, callback: CallbackDefinition, place: string): readonly Fault[] {
  const { auth, addresses, from } = callback;
  const path = `${place}.auth`;
  const wrong = (addresses ?? []).flatMap((text, index) =>
    parseRange(text) === null
      ? [{ path: `${place}.addresses[${index}]`, message: "Is neither an address nor a range such as 203.0.113.0/24." }]
      : [],
  );
  const needs =
    auth.kind === "addresses" && (addresses ?? []).length === 0
      ? [{ path: `${place}.addresses`, message: "Name the addresses that prove it." }]
      : [];
  const unlisted =
    "secret" in auth && !definition.secrets.includes(auth.secret)
      ? [{ path: `${path}.secret`, message: "Is not listed under secrets." }]
      : [];
  const notToken = from === "jwt" && auth.kind !== "jwt" ? [{ path: `${place}.from`, message: "There is no token: auth is not jwt." }] : [];
  return [...wrong, ...needs, ...unlisted, ...notToken, ...placeFaults(auth, path), ...signedFaults(definition, callback, place)];
}

function placeFaults(auth: CallbackAuth, path: string): readonly Fault[] {
  if (auth.kind === "addresses" || auth.kind === "hint") return [];
  const places = [auth.header, auth.query, auth.field, auth.inner].filter((name) => name !== undefined);
  return places.length === 1
    ? []
    : [{ path, message: "Give exactly one of header, query, field and inner, where the message carries it." }];
}

function signedFaults(definition: Description, { auth, from, read }: CallbackDefinition, place: string): readonly Fault[] {
  if (auth.kind === "jwt" && from !== "jwt")
    return [{ path: `${place}.from`, message: "Take the values from the verified token: jwt. What is beside it is not signed." }];
  if (auth.kind !== "hmac" && auth.kind !== "hash" && auth.kind !== "rsa") return [];
  const path = `${place}.auth.text`;
  const hasInner = read?.inner !== undefined;
  const names = placeholdersIn(auth.text).map(({ name }) => name);
  const unknown = names.filter((name) => !isKnown(definition, name) && !(hasInner && name.startsWith("inner.")));
  const covers = names.some((name) => (from === "query" ? /^(?:query|inner)\./.test(name) : /^(?:body$|field\.|inner\.)/.test(name)));
  const secret =
    auth.kind === "hash" && !names.some((name) => name.startsWith("secret."))
      ? [{ path, message: "Must contain {secret.name}; without it anybody could compute the hash." }]
      : [];
  return [
    ...unknown.map((name) => ({
      path,
      message: `There is no placeholder {${name}} here. Use {body}, {path}, {header.…}, {query.…}, {field.…}, {secret.…} or {constant.…}${hasInner ? ", or {inner.…}" : ". {inner.…} needs read.inner"}.`,
    })),
    ...(covers ? [] : [{ path, message: `The signature does not cover the ${from}, which the values come from.` }]),
    ...secret,
    ...timeFaults(auth, names, `${place}.auth.time`),
  ];
}

function isKnown({ secrets, constants }: Description, name: string): boolean {
  const [group = "", rest = ""] = name.split(".");
  if (name === "body" || name === "path") return true;
  if (group === "secret") return secrets.includes(rest);
  if (group === "constant") return Object.hasOwn(constants, rest);
  return ["header", "query", "field"].includes(group) && rest !== "";
}

/** A time that is not signed could be changed by anybody. */
function timeFaults(
  auth: Extract<CallbackAuth, { kind: "hmac" | "hash" | "rsa" }>,
  names: readonly string[],
  path: string,
): readonly Fault[] {
  const { time } = auth;
  if (time === undefined) return [];
  const name = (["header", "query", "field", "inner"] as const).flatMap((where) => (time[where] ? [`${where}.${time[where]}`] : []))[0];
  if (name === undefined) return [{ path, message: "Give one of header, query, field and inner." }];
  const isSigned = names.some((one) => one.toLowerCase() === name.toLowerCase()) || (time.field !== undefined && names.includes("body"));
  return isSigned ? [] : [{ path, message: "Is not part of what is signed." }];
}
