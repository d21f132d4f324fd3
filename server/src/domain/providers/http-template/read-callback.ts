import { parseXml } from "../../../platform/core/xml.ts";
import { type CallbackRefusal, refusedCallback } from "../callbacks/refused-callback.ts";
import type { ProviderMessage, Report } from "../connector.ts";
import { hmacHex, sameSecret } from "../wire/same-secret.ts";
import type { Secrets } from "./build-call.ts";
import type { CallbackDefinition } from "./definition.ts";
import { failureOf, findingOf, meaningOf } from "./judge-answer.ts";
import { jsonText, parseAnswer } from "./read-json.ts";
import { xmlText } from "./read-xml.ts";

type Look = (path: string) => string | null;

/** Reads a callback that is authenticated with the provider's secret and identifies its order. */
export function readTemplateCallback(
  callback: CallbackDefinition,
  secrets: Secrets,
  clean: (text: string) => string,
  message: ProviderMessage,
): Report | CallbackRefusal {
  if (!isAuthentic(callback, secrets, message)) return refusedCallback("wrong_key");
  const look = lookInto(callback.from, message);
  const reference = look?.(callback.reference) ?? null;
  if (!look) return refusedCallback("unreadable", true);
  if (reference === null || reference === "") return refusedCallback("no_reference", true);
  const status = look(callback.status);
  const meaning = status === null ? null : meaningOf(callback.values, status);
  if (meaning === null) return refusedCallback("unknown_status", true, reference);
  const get = (path: string | undefined) => clean(path === undefined ? "" : (look(path) ?? ""));
  const code = callback.reason === undefined ? status : look(callback.reason);
  const values = {
    because: `the provider reported ${meaning}`,
    operatorRef: get(callback.operator_ref),
    message: get(callback.message),
    failure: failureOf(callback.values, code),
  };
  return { reference, finding: findingOf(meaning, values) };
}

function isAuthentic({ auth }: CallbackDefinition, secrets: Secrets, message: ProviderMessage): boolean {
  const secret = secrets[auth.secret] ?? "";
  if (secret === "") return false;
  switch (auth.kind) {
    case "header":
      return sameSecret(headerOf(message, auth.name), secret);
    case "query":
      return sameSecret(ownText(message.query, auth.name) ?? "", secret);
    case "hmac_sha256":
      return sameSecret(headerOf(message, auth.name).toLowerCase(), auth.prefix.toLowerCase() + hmacHex(secret, message.body));
  }
}

function headerOf(message: ProviderMessage, name: string): string {
  const wanted = name.toLowerCase();
  return Object.entries(message.headers).find(([header]) => header.toLowerCase() === wanted)?.[1] ?? "";
}

function lookInto(from: CallbackDefinition["from"], message: ProviderMessage): Look | null {
  switch (from) {
    case "query":
      return (name) => ownText(message.query, name);
    case "form": {
      const form = new URLSearchParams(message.body);
      // A repeated name would be ambiguous.
      return (name) => (form.getAll(name).length === 1 ? form.get(name) : null);
    }
    case "json": {
      const value = parseAnswer(Buffer.from(message.body));
      return value === null ? null : (path) => jsonText(value, path);
    }
    case "xml": {
      const root = parseXml(message.body);
      return root === null ? null : (path) => xmlText(root, path);
    }
  }
}

function ownText(values: Readonly<Record<string, string>>, name: string): string | null {
  return Object.hasOwn(values, name) ? (values[name] ?? null) : null;
}
