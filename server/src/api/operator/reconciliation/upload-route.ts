import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { MAX_FILE_BYTES, type Uploaded, uploadFile } from "../../../domain/reconciliation/upload-file.ts";
import { may, SETTLERS } from "../access.ts";
import { actor } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { refuse, refuseFields } from "../errors.ts";
import type { ZodApp } from "../zod-app.ts";
import { uploadQuery } from "./fields.ts";
import { reconciliationView } from "./views.ts";

const TYPE = /^text\/csv(?:\s*;\s*charset\s*=\s*"?utf-8"?)?\s*$/i;
const NOT_A_FILE = "The body must be the file: text/csv in UTF-8, not compressed.";
const TOO_LARGE = `The file has more than ${MAX_FILE_BYTES / 1024 / 1024} MiB. Divide it.`;

/** Receives a provider's file as the request body. It may be large, so it is streamed. */
export function uploadRoute(app: ZodApp, deps: OperatorApiDependencies): void {
  app.register(async (scope) => {
    // Registered only for this route. No other route accepts a file.
    scope.addContentTypeParser("text/csv", (_request, payload, done) => done(null, payload));
    scope
      .withTypeProvider<ZodTypeProvider>()
      .post(
        "/reconciliations",
        { config: may(SETTLERS), schema: { querystring: uploadQuery(() => deps.clock.now()) } },
        async (request, reply) => {
          const { body } = request;
          if (!(body instanceof Readable && isPlain(request))) return refuse(reply, "unsupported_media_type", NOT_A_FILE);
          if (Number(request.headers["content-length"] ?? 0) > MAX_FILE_BYTES) return refuse(reply, "body_too_large", TOO_LARGE);
          const content = body.iterator({ destroyOnReturn: false });
          const done = await uploadFile(deps, actor(request), { ...request.query, content });
          // The rest of a refused file is still read, so that the connection stays usable.
          body.resume();
          return answer(reply, done);
        },
      );
  });
}

function answer(reply: FastifyReply, done: Uploaded): FastifyReply {
  if (done.kind === "unknown_provider") return refuseFields(reply, { provider: "There is no such provider." });
  if (done.kind === "too_large") return refuse(reply, "body_too_large", TOO_LARGE);
  if (done.kind === "unreadable") return refuse(reply, "invalid_request", done.why, { file: done.why });
  return reply.code(201).send(reconciliationView(done.reconciliation));
}

function isPlain(request: FastifyRequest): boolean {
  return TYPE.test(request.headers["content-type"] ?? "") && request.headers["content-encoding"] === undefined;
}
