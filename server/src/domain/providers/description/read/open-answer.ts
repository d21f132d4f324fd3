import type { ReadDefinition } from "../language/read.ts";
import type { Scope } from "../template/render.ts";
import { decrypted } from "./decrypt.ts";
import { type AnswerBody, type Document, readDocument, readText } from "./document.ts";
import { scalarText, valueAt } from "./path.ts";

/** Reads an answer: decrypts it where that is declared, and opens the document that it may contain. Never throws. */
export function openAnswer(read: ReadDefinition, answer: AnswerBody, scope: Scope): Document {
  const outer = read.decrypt === undefined ? readDocument(read, answer) : openEncrypted(read, answer, scope);
  if (!outer.ok || read.inner === undefined) return outer;
  const text = textAt(outer, read.inner.at, scope);
  if (text === null) return { ok: false, why: `the answer has no text at ${read.inner.at}` };
  return readText(read.inner.format, text, read);
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
  return scalarText(valueAt({ root: document.tree, here: document.tree, http: 0 }, path, scope));
}
