import { CorprailError } from "../errors.js";

/** What a request looks like in node:http, and in Express, which adds to it. */
export type NodeRequest = AsyncIterable<unknown> & {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly originalUrl?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly readableDidRead?: boolean | undefined;
  readonly body?: unknown;
  readonly rawBody?: unknown;
};

/** The receiver is set up wrongly: what was signed is gone, so no callback could ever be verified. */
export class BodyAlreadyParsedError extends CorprailError {
  constructor() {
    super(
      "The callback's body was parsed before the handler saw it, so its signature cannot be checked. " +
        "Put the handler before body parsers such as express.json(), or keep the raw bytes in rawBody.",
      { error: "body_already_parsed" },
    );
  }
}

/** A callback is a few hundred bytes; more is not read. */
const MOST_BYTES = 64 * 1024;

/** The exact bytes, or null when there are too many. Throws when someone else has read them and kept no copy. */
export async function rawBody(request: NodeRequest): Promise<Uint8Array | null> {
  if (request.method !== "POST") return new Uint8Array();
  const kept = [request.rawBody, request.body].find((value) => value instanceof Uint8Array);
  if (kept instanceof Uint8Array) return kept.length > MOST_BYTES ? null : kept;
  if (request.readableDidRead === true || isParsed(request.body)) throw new BodyAlreadyParsedError();
  return await readAll(request);
}

// Express 4 gives an empty object to a body that nobody parsed; that one can still be read.
function isParsed(body: unknown): boolean {
  if (body === undefined || body === null) return false;
  return typeof body !== "object" || Object.keys(body).length > 0;
}

async function readAll(stream: AsyncIterable<unknown>): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    // setEncoding() was called: what arrived cannot be had back byte for byte.
    if (!(chunk instanceof Uint8Array)) throw new BodyAlreadyParsedError();
    bytes += chunk.length;
    if (bytes <= MOST_BYTES) chunks.push(chunk);
    // Up to this size the rest is read, so that the sender gets a reply; leaving the loop closes the connection.
    if (bytes > 16 * MOST_BYTES) break;
  }
  return bytes > MOST_BYTES ? null : Buffer.concat(chunks);
}
