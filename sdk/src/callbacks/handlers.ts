import { BodyAlreadyParsedError, type NodeRequest, rawBody } from "./raw-body.js";
import type { Callback, CallbackRefusal, IncomingCallback } from "./types.js";
import type { CallbackVerifier } from "./verifier.js";

/**
 * Books one callback. Return when it is booked for good: 200 is answered, and it is not sent again.
 * Throw, and 500 is answered: it is sent again later, with growing pauses.
 */
export type OnCallback = (callback: Callback) => void | Promise<void>;

export type HandlerOptions = {
  /** Called with every request that was answered with 403, for your log. */
  readonly onRefused?: ((reason: CallbackRefusal) => void) | undefined;
};

export type NodeHandlerOptions = HandlerOptions & {
  /** Called with every error that was answered with 500. Default: a process warning. */
  readonly onError?: ((error: unknown) => void) | undefined;
};

export type NodeResponse = {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text: string): unknown;
};

type Reply = { readonly status: number; readonly text: string };

async function answer(
  verifier: CallbackVerifier,
  onCallback: OnCallback,
  options: HandlerOptions,
  incoming: IncomingCallback,
): Promise<Reply> {
  const verdict = await verifier.verify(incoming);
  if (verdict.ok) {
    await onCallback(verdict.callback);
    return { status: 200, text: "ok" };
  }
  options.onRefused?.(verdict.reason);
  // Spec, Events: 403 when hash, freshness or replay check fails.
  return verdict.reason === "not_a_callback" ? { status: 405, text: "not a callback" } : { status: 403, text: verdict.reason };
}

async function answerNode(
  verifier: CallbackVerifier,
  onCallback: OnCallback,
  options: HandlerOptions,
  request: NodeRequest,
): Promise<Reply> {
  const body = await rawBody(request);
  if (body === null) return { status: 413, text: "too large" };
  const { method = "", url = "", originalUrl, headers } = request;
  return await answer(verifier, onCallback, options, { method, url: originalUrl ?? url, headers, body });
}

function send(response: NodeResponse, reply: Reply): void {
  response.statusCode = reply.status;
  response.setHeader("content-type", "text/plain; charset=utf-8");
  response.end(`${reply.text}\n`);
}

/** For `http.createServer(...)`, or for one path of it. */
export function nodeHandler(
  verifier: CallbackVerifier,
  onCallback: OnCallback,
  options: NodeHandlerOptions = {},
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  const onError = options.onError ?? warn;
  return async (request, response) => {
    try {
      send(response, await answerNode(verifier, onCallback, options, request));
    } catch (error) {
      onError(error);
      const text = error instanceof BodyAlreadyParsedError ? error.message : "not booked";
      send(response, { status: 500, text });
    }
  };
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}

/** For `app.all(path, ...)`, before any body parser or after `express.raw()`. Errors go to Express's error handlers. */
export function expressHandler(
  verifier: CallbackVerifier,
  onCallback: OnCallback,
  options: HandlerOptions = {},
): (request: NodeRequest, response: NodeResponse, next: (error: unknown) => void) => Promise<void> {
  return async (request, response, next) => {
    try {
      send(response, await answerNode(verifier, onCallback, options, request));
    } catch (error) {
      next(error);
    }
  };
}

export type FastifyRequestLike = {
  readonly method: string;
  readonly headers: IncomingCallback["headers"];
  readonly body?: unknown;
  readonly rawBody?: unknown;
  readonly raw: { readonly url?: string | undefined };
};

export type FastifyReplyLike = { code(status: number): { send(text: string): unknown } };

/** For a route of your own. Its body must come as bytes; `fastifyCallbacks` sees to that by itself. */
export function fastifyHandler(
  verifier: CallbackVerifier,
  onCallback: OnCallback,
  options: HandlerOptions = {},
): (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<void> {
  return async (request, reply) => {
    const body = request.method === "POST" ? fastifyBytes(request) : new Uint8Array();
    const { method, headers, raw } = request;
    const { status, text } = await answer(verifier, onCallback, options, { method, url: raw.url ?? "", headers, body });
    await reply.code(status).send(`${text}\n`);
  };
}

function fastifyBytes(request: FastifyRequestLike): Uint8Array {
  const kept = [request.rawBody, request.body].find((value) => value instanceof Uint8Array);
  if (kept instanceof Uint8Array) return kept;
  throw new BodyAlreadyParsedError();
}

export type FastifyLike = {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    options: { readonly parseAs: "buffer" },
    parser: (request: never, body: Uint8Array, done: (error: Error | null, body?: unknown) => void) => void,
  ): unknown;
  get(path: string, handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<void>): unknown;
  post(path: string, handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<void>): unknown;
};

/** A plugin, `app.register(fastifyCallbacks(...))`: takes both versions on one path. Parsers elsewhere in the app stay as they are. */
export function fastifyCallbacks(
  path: string,
  verifier: CallbackVerifier,
  onCallback: OnCallback,
  options: HandlerOptions = {},
): (app: FastifyLike) => Promise<void> {
  const handler = fastifyHandler(verifier, onCallback, options);
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    app.get(path, handler);
    app.post(path, handler);
  };
}
