import type { JsonValue } from "../../../../platform/core/strict-json.ts";
import type { ProviderMessage } from "../../connector.ts";
import type { Description } from "../definition.ts";
import type { CallbackDefinition } from "../language/callbacks.ts";
import type { ReadDefinition } from "../language/read.ts";
import { type Document, readText } from "../read/document.ts";
import { openInner } from "../read/open-answer.ts";
import { placeIn, scalarText, valueAt } from "../read/path.ts";
import type { Scope } from "../template/render.ts";
import { type Authenticated, headerOf } from "./authenticate.ts";

type Parts = { readonly definition: Description; readonly secrets: Readonly<Record<string, string>>; readonly now: number };

/** What the proof of a message is made of, and where the values of the message are. */
export type MessageParts = Authenticated & {
  /** The document with the values; the claims are those of a verified token. */
  readonly values: (claims: JsonValue | undefined) => Document;
};

export function messageParts({ definition, secrets, now }: Parts, callback: CallbackDefinition, message: ProviderMessage): MessageParts {
  const read: ReadDefinition = callback.read ?? {};
  const body = bodyDocument(read, message);
  const values = (claims: JsonValue | undefined) => openInner(read, outerOf(callback, message, body, claims), scope);
  const textIn = (document: Document, path: string) => scalarText(valueAt(placeIn(document, 200), path, scope));
  const field = (path: string) => textIn(body, path);
  // Without an inner document there is nothing at any of its paths.
  const inner = (path: string) => (read.inner === undefined ? null : textIn(values(undefined), path));
  const groups: Readonly<Record<string, (name: string) => string | undefined>> = {
    header: (name) => headerOf(message, name),
    query: (name) => own(message.query, name) ?? "",
    secret: (name) => own(secrets, name),
    constant: (name) => own(definition.constants, name),
    field: (path) => field(path) ?? "",
    inner: (path) => inner(path) ?? "",
  };
  const scope: Scope = {
    style: { amount: definition.amount, zone: definition.times },
    get: (name) => {
      if (name === "body") return message.body;
      if (name === "path") return message.path;
      const point = name.indexOf(".");
      return point < 0 ? undefined : groups[name.slice(0, point)]?.(name.slice(point + 1));
    },
  };
  return { message, scope, field, inner, secrets, now, values };
}

/** The document that the values are in, or that contains the one with the values. */
function outerOf({ from }: CallbackDefinition, message: ProviderMessage, body: Document, claims: JsonValue | undefined): Document {
  if (from === "query") return { ok: true, tree: { ...message.query } };
  if (from === "body") return body;
  return claims === undefined ? { ok: false, why: "the message has no token" } : { ok: true, tree: claims };
}

/** A repeated name of a form would be ambiguous: it becomes a list, which is no text. */
function bodyDocument(read: ReadDefinition, message: ProviderMessage): Document {
  if (message.body === "") return { ok: false, why: "the message has no body" };
  return readText(read.format ?? "json", message.body, read);
}

function own(values: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
