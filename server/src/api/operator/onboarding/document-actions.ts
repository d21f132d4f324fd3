import { Readable } from "node:stream";
import type { StaffRole } from "../../../domain/auth/user.ts";
import { addDocument, documentType, eraseDocument, MAX_DOCUMENT_BYTES, viewDocument } from "../../../domain/onboarding/documents.ts";
import { OPERATIONS } from "../access.ts";
import { type Action, action, streamAction } from "../action.ts";
import { accountParams, noBody } from "../fields.ts";
import { noSuch, Refusal } from "../refusal.ts";
import { documentParams, documentQuery } from "./fields.ts";
import { changed } from "./onboarding-actions.ts";
import { onboardingOutput } from "./outputs.ts";

// Support does not need clients' identity papers.
const READERS: readonly StaffRole[] = ["admin", "finance", "operations", "auditor"];
const NOT_A_FILE = new Refusal("unsupported_media_type", "The body must be the file as application/octet-stream, not compressed.");
const TOO_LARGE = new Refusal(
  "body_too_large",
  `The file has more than ${MAX_DOCUMENT_BYTES / 1024 / 1024} MiB. Scan it with a lower resolution.`,
);
const WRONG_TYPE = "Must be a PDF, PNG or JPEG file.";

const add = action({
  path: "POST /accounts/:account_id/documents",
  summary: "Adds a document to the application of an account: a PDF, PNG or JPEG file of at most 5 MiB.",
  roles: OPERATIONS,
  params: accountParams,
  query: documentQuery,
  upload: "application/octet-stream",
  output: onboardingOutput,
  status: 201,
  handler: async ({ deps, caller, params: { account_id: accountId }, query, request: { body, headers } }) => {
    if (!(body instanceof Readable) || headers["content-encoding"] !== undefined) return NOT_A_FILE;
    const file = await readFile(body);
    if (file === null) return TOO_LARGE;
    const type = documentType(file);
    if (type === null) return new Refusal("invalid_request", `The file is not accepted. ${WRONG_TYPE}`, { fields: { file: WRONG_TYPE } });
    return await changed(deps, caller, accountId, await addDocument(deps, caller, { accountId, ...query, type, file }));
  },
});

/** Null if the file is too large. The rest of it is still read, so that the connection stays usable. */
async function readFile(body: Readable): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes <= MAX_DOCUMENT_BYTES) parts.push(part);
    else parts.length = 0;
  }
  return bytes > MAX_DOCUMENT_BYTES ? null : Buffer.concat(parts);
}

const download = streamAction({
  path: "GET /accounts/:account_id/documents/:document_id",
  summary: "Downloads a document. The audit log records who did.",
  roles: READERS,
  params: documentParams,
  mediaType: "application/octet-stream",
  handler: async ({ deps, actor, params: { account_id: accountId, document_id: documentId } }, reply) => {
    const opened = await viewDocument(deps, actor, { accountId, documentId });
    if (opened.kind === "not_found") return noSuch("document");
    // The browser saves the file and never shows it on a page of the console.
    reply.type(opened.type).header("content-disposition", attachment(opened.name)).header("content-security-policy", "sandbox");
    return reply.send(opened.file);
  },
});

function attachment(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9._ -]/g, "_");
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, escaped)}`;
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

const erase = action({
  path: "POST /accounts/:account_id/documents/:document_id/delete",
  summary: "Erases a document's file. What it was and who added it stays known.",
  roles: OPERATIONS,
  params: documentParams,
  body: noBody,
  output: onboardingOutput,
  handler: async ({ deps, caller, params: { account_id: accountId, document_id: documentId }, body }) =>
    await changed(deps, caller, accountId, await eraseDocument(deps, caller, { accountId, documentId, ...body })),
});

/** Documents of applications. */
export const documentActions: readonly Action[] = [add, download, erase];
