import { createHash } from "node:crypto";
import { openFile, sealFile } from "../../platform/crypto/sealed-file.ts";
import type { Queryable, Sql } from "../../platform/db/connection.ts";
import type { AccountsContext, NotFound, WithReason } from "../accounts/context.ts";
import { sealedTable } from "../accounts/master-key/sealed-table.ts";
import type { Asker } from "../approvals/approval.ts";
import { appendAudit } from "../audit/append.ts";
import { changeOnboarding, conflictOf, noteDocumentChange, type OnboardingResult } from "./change-onboarding.ts";
import { type DocumentKind, mayEdit } from "./onboarding.ts";
import { readDocuments } from "./store.ts";

export const MAX_DOCUMENT_BYTES = 5 * 1024 * 1024;
const MAX_DOCUMENTS = 30;
const TOO_MANY = `An account can have ${MAX_DOCUMENTS} documents. Delete one that is not needed.`;
const LOCKED = "The application was submitted. Its documents can be changed after a reviewer returns it.";

function context(documentId: string): string {
  return `document/${documentId}`;
}

/** The keys of the documents, for the rotation of the master key. */
export const DOCUMENT_KEYS = sealedTable({
  table: "onboarding_documents",
  id: "document_id",
  keyId: "key_id",
  sealed: "sealed_key",
  contextOf: context,
});

const SIGNATURES = [
  ["application/pdf", Buffer.from("%PDF-")],
  ["image/png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ["image/jpeg", Buffer.from([0xff, 0xd8, 0xff])],
] as const;
export type DocumentType = (typeof SIGNATURES)[number][0];

/** The type of a file by its first bytes, whatever its name says; null if it is none of the accepted ones. */
export function documentType(file: Buffer): DocumentType | null {
  return SIGNATURES.find(([, signature]) => file.subarray(0, signature.length).equals(signature))?.[0] ?? null;
}

export type NewDocument = {
  readonly accountId: string;
  readonly kind: DocumentKind;
  readonly name: string;
  readonly type: DocumentType;
  readonly file: Buffer;
};

/** Stores a document, encrypted. */
export async function addDocument(ctx: AccountsContext, asker: Asker, input: NewDocument): Promise<OnboardingResult> {
  const { accountId, kind, name, type, file } = input;
  return await changeOnboarding(ctx, asker.actor, { accountId }, async (tx, row, at) => {
    if (!mayEdit(row, kind)) return conflictOf(LOCKED);
    const present = (await readDocuments(tx, accountId)).filter((document) => document.erased_at === null);
    if (present.length >= MAX_DOCUMENTS) return conflictOf(TOO_MANY);
    const documentId = ctx.ids.entry(at.getTime());
    const digest = createHash("sha256").update(file).digest();
    const { keyId, sealedKey, content } = sealFile(ctx.vault, file, context(documentId));
    await tx`
      insert into onboarding_documents
        (account_id, document_id, kind, name, media_type, bytes, digest, key_id, sealed_key, content, uploaded_by, uploaded_at)
      values (${accountId}, ${documentId}, ${kind}, ${name}, ${type}, ${file.length}, ${digest}, ${keyId}, ${sealedKey}, ${content},
        ${asker.actor}, ${at})`;
    const undone = await noteDocumentChange(tx, row, asker, kind, at);
    const details = { document_id: documentId, kind, name, bytes: file.length, sha256: digest.toString("hex"), ...undone };
    return { result: { kind: "done" }, audit: { action: "document.added", details }, sealedWith: keyId };
  });
}

type Chosen = WithReason & { readonly accountId: string; readonly documentId: string };

/** Erases a document's file. What it was stays known. */
export async function eraseDocument(ctx: AccountsContext, asker: Asker, input: Chosen): Promise<OnboardingResult> {
  return await changeOnboarding(ctx, asker.actor, input, async (tx, row, at) => {
    const document = (await readDocuments(tx, row.account_id)).find((one) => one.document_id === input.documentId);
    if (!document || document.erased_at !== null) return { result: { kind: "not_found" }, audit: null };
    if (!mayEdit(row, document.kind)) return conflictOf(LOCKED);
    await erase(tx, [input.documentId], at);
    const undone = await noteDocumentChange(tx, row, asker, document.kind, at);
    const details = { document_id: input.documentId, kind: document.kind, name: document.name, ...undone };
    return { result: { kind: "done" }, audit: { action: "document.erased", details } };
  });
}

async function erase(sql: Queryable, documentIds: readonly string[], at: Date): Promise<void> {
  await sql`
    update onboarding_documents set key_id = null, sealed_key = null, content = null, erased_at = ${at}
    where document_id = any(${documentIds as string[]}) and erased_at is null`;
}

export type OpenedDocument = { readonly kind: "done"; readonly name: string; readonly type: string; readonly file: Buffer };
type SealedDocument = {
  readonly name: string;
  readonly kind: string;
  readonly media_type: string;
  readonly key_id: string;
  readonly sealed_key: Buffer;
  readonly content: Buffer;
};

/** Decrypts a document for a reader. The audit log records the access before the file leaves the database. */
export async function viewDocument(
  ctx: AccountsContext,
  actor: string,
  { accountId, documentId }: Chosen,
): Promise<OpenedDocument | NotFound> {
  const row = await ctx.sql.begin(async (tx) => {
    const [found] = await tx<SealedDocument[]>`
      select name, kind, media_type, key_id, sealed_key, content from onboarding_documents
      where account_id = ${accountId} and document_id = ${documentId} and erased_at is null`;
    if (!found) return null;
    const details = { document_id: documentId, kind: found.kind, name: found.name };
    const subject = { kind: "account", id: accountId } as const;
    await appendAudit(tx, new Date(ctx.clock.now()), { actor, action: "document.viewed", subject, details });
    return found;
  });
  if (!row) return { kind: "not_found" };
  const sealed = { keyId: row.key_id, sealedKey: row.sealed_key, content: row.content };
  return { kind: "done", name: row.name, type: row.media_type, file: await openFile(ctx.vault, sealed, context(documentId)) };
}

const ERASED_AT_ONCE = 100;

/** Erases the documents of accounts that were closed before this time. Returns their number. */
export async function sweepDocuments(sql: Sql, closedBefore: Date, now: Date): Promise<number> {
  return await sql.begin(async (tx) => {
    const rows = await tx<{ document_id: string; account_id: string }[]>`
      select d.document_id, d.account_id from onboarding_documents d join accounts a on a.account_id = d.account_id
      where d.erased_at is null and a.closed_at < ${closedBefore} order by d.document_id limit ${ERASED_AT_ONCE} for update of d skip locked`;
    if (rows.length === 0) return 0;
    const documentIds = rows.map((row) => row.document_id);
    await erase(tx, documentIds, now);
    for (const accountId of new Set(rows.map((row) => row.account_id))) {
      const own = rows.filter((row) => row.account_id === accountId).map((row) => row.document_id);
      const entry = { actor: "system", action: "document.erased", subject: { kind: "account", id: accountId } } as const;
      await appendAudit(tx, now, { ...entry, details: { document_ids: own, why: "retention" } });
    }
    return rows.length;
  });
}
