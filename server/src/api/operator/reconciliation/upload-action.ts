import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { MAX_FILE_BYTES, uploadFile } from "../../../domain/reconciliation/file/upload-file.ts";
import { SETTLERS } from "../access.ts";
import { action } from "../action.ts";
import { Refusal, wrongFields } from "../refusal.ts";
import { FUTURE_DAY, isFutureDay, uploadQuery } from "./fields.ts";
import { reconciliationOutput } from "./outputs.ts";
import { reconciliationView } from "./views.ts";

const TYPE = /^text\/csv(?:\s*;\s*charset\s*=\s*"?utf-8"?)?\s*$/i;
const NOT_A_FILE = new Refusal("unsupported_media_type", "The body must be the file: text/csv in UTF-8, not compressed.");
const TOO_LARGE = new Refusal("body_too_large", `The file has more than ${MAX_FILE_BYTES / 1024 / 1024} MiB. Divide it.`);

/** Receives a provider's file as the request body. It may be large, so it is streamed. */
export const uploadAction = action({
  path: "POST /reconciliations",
  summary: "Uploads a provider's file of a day.",
  roles: SETTLERS,
  query: uploadQuery,
  upload: "text/csv",
  output: reconciliationOutput,
  status: 201,
  handler: async ({ deps, actor, query, request }) => {
    const { body } = request;
    if (isFutureDay(query.day, deps.clock.now())) return wrongFields({ day: FUTURE_DAY });
    if (!(body instanceof Readable && isPlain(request))) return NOT_A_FILE;
    if (Number(request.headers["content-length"] ?? 0) > MAX_FILE_BYTES) return TOO_LARGE;
    const done = await uploadFile(deps, actor, { ...query, content: body.iterator({ destroyOnReturn: false }) });
    // The rest of a refused file is still read, so that the connection stays usable.
    body.resume();
    if (done.kind === "unknown_provider") return wrongFields({ provider: "There is no such provider." });
    if (done.kind === "too_large") return TOO_LARGE;
    if (done.kind === "unreadable") return new Refusal("invalid_request", done.why, { fields: { file: done.why } });
    return reconciliationView(done.reconciliation);
  },
});

function isPlain(request: FastifyRequest): boolean {
  return TYPE.test(request.headers["content-type"] ?? "") && request.headers["content-encoding"] === undefined;
}
