import type { FastifyInstance, FastifyRequest } from "fastify";
import { type JsonObject, parseStrictJson } from "../../../platform/core/strict-json.ts";

const BODY_BYTES = 64 * 1024;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;

/** Thrown by the body parser for an invalid body, because a parser can only throw. */
export class UnreadableBody extends Error {
  readonly refusal: "invalid_request" | "unsupported_media_type";
  constructor(refusal: UnreadableBody["refusal"], message: string) {
    super(message);
    this.refusal = refusal;
  }
}

/** Parses bodies by contract section 1, except that a missing body is an empty object. */
export function readStrictJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer", bodyLimit: BODY_BYTES },
    async (request: FastifyRequest, body: Buffer) => read(request, body),
  );
  app.addHook("preValidation", async (request) => {
    if (request.method === "POST") request.body ??= {};
  });
}

function read(request: FastifyRequest, body: Buffer): JsonObject {
  const charset = CHARSET.exec(request.headers["content-type"] ?? "")?.[1];
  if (charset !== undefined && charset.toLowerCase() !== "utf-8")
    throw new UnreadableBody("unsupported_media_type", "The body must be in UTF-8.");
  if (request.headers["content-encoding"] !== undefined)
    throw new UnreadableBody("unsupported_media_type", "The body must not be compressed.");
  if (body.length === 0) return {};
  const parsed = parseStrictJson(body);
  if (!parsed.ok) throw new UnreadableBody("invalid_request", `The request cannot be read: ${parsed.why}.`);
  return parsed.value;
}
