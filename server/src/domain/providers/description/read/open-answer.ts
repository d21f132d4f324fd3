import type { JsonValue } from "../../../../platform/core/strict-json.ts";
import type { ReadDefinition } from "../language/read.ts";
import type { Scope } from "../template/render.ts";
import { decrypted } from "./decrypt.ts";
import { type AnswerBody, type Document, readDocument, readText } from "./document.ts";
import { placeIn, scalarText, valueAt } from "./path.ts";

/** Reads an answer: decrypts it where that is declared, and opens the document that it may contain. Never throws. */
export function openAnswer(read: ReadDefinition, answer: AnswerBody, scope: Scope): Document {
  return openInner(read, read.decrypt === undefined ? readDocument(read, answer) : openEncrypted(read, answer, scope), scope);
}

/** Opens the document inside a document, where `inner` says that there is one. */
export function openInner(read: ReadDefinition, outer: Document, scope: Scope): Document {
  if (!outer.ok || read.inner === undefined) return outer;
  const text = textAt(outer, read.inner.at, scope)?.trim() ?? "";
  // Many providers leave the inner document out of a refusal. Only the outer one can then say what happened.
  if (text === "" && read.inner.optional === true) return { ok: true, tree: {}, outer: outer.tree };
  if (text === "") return { ok: false, why: `the answer has no text at ${read.inner.at}${membersText(outer.tree)}` };
  const inner = readText(read.inner.format, text, read);
  return inner.ok ? { ...inner, outer: outer.tree } : { ok: false, why: `${read.inner.at} cannot be opened: ${inner.why}` };
}

/** Names what the document has instead, because the first step of a path is what is usually forgotten. */
function membersText(tree: JsonValue): string {
  const names = typeof tree === "object" && tree !== null && !Array.isArray(tree) ? Object.keys(tree).slice(0, 5) : [];
  return names.length === 0 ? "" : `; at its top it has ${names.join(", ")}`;
}

function openEncrypted(read: ReadDefinition, answer: AnswerBody, scope: Scope): Document {
  const { decrypt, ...plain } = read;
  if (decrypt === undefined) return readDocument(read, answer);
  if (decrypt.at === undefined) return opened(decrypted(decrypt, answer.body.toString("latin1"), scope), plain);
  const outer = readDocument(plain, answer);
  // A refusal often comes unencrypted, so an answer without the ciphertext is read as it is.
  const ciphertext = outer.ok ? textAt(outer, decrypt.at, scope) : null;
  return ciphertext === null ? outer : opened(decrypted(decrypt, ciphertext, scope), plain);
}

function opened(text: string | null, read: ReadDefinition): Document {
  return text === null ? { ok: false, why: "the answer cannot be decrypted" } : readText(read.format ?? "json", text, read);
}

function textAt(document: Extract<Document, { ok: true }>, path: string, scope: Scope): string | null {
  return scalarText(valueAt(placeIn(document, 0), path, scope));
}
