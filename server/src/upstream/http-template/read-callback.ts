import type { Report, UpstreamMessage } from "../connector.ts";
import { hmacHex, sameSecret } from "../wire/same-secret.ts";
import type { Secrets } from "./build-call.ts";
import type { CallbackDefinition } from "./definition.ts";
import { findingOf, meaningOf } from "./judge-answer.ts";
import { jsonText, parseAnswer } from "./read-json.ts";
import { parseXml, xmlText } from "./read-xml.ts";

type Look = (path: string) => string | null;

/** Null unless the message proves with the provider's secret that it is one, and says which order it means. */
export function readTemplateCallback(
  callback: CallbackDefinition,
  secrets: Secrets,
  clean: (text: string) => string,
  message: UpstreamMessage,
): Report | null {
  if (!isAuthentic(callback, secrets, message)) return null;
  const look = lookInto(callback.from, message);
  const reference = look?.(callback.reference) ?? null;
  if (!look || reference === null || reference === "") return null;
  const status = look(callback.status);
  const meaning = status === null ? null : meaningOf(callback.values, status);
  if (meaning === null) return { reference, finding: { kind: "unknown", why: "the provider reported a status that is not declared" } };
  const get = (path: string | undefined) => clean(path === undefined ? "" : (look(path) ?? ""));
  return { reference, finding: findingOf(meaning, `the provider reported ${meaning}`, get(callback.operator_ref), get(callback.message)) };
}

function isAuthentic({ auth }: CallbackDefinition, secrets: Secrets, message: UpstreamMessage): boolean {
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

function headerOf(message: UpstreamMessage, name: string): string {
  const wanted = name.toLowerCase();
  return Object.entries(message.headers).find(([header]) => header.toLowerCase() === wanted)?.[1] ?? "";
}

function lookInto(from: CallbackDefinition["from"], message: UpstreamMessage): Look | null {
  switch (from) {
    case "query":
      return (name) => ownText(message.query, name);
    case "form": {
      const form = new URLSearchParams(message.body);
      // A name sent twice could be read as either.
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
