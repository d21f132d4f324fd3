import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { busy } from "../../domain/shared/refusals.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { databaseTrouble } from "../../platform/db/database-errors.ts";
import { parseTraceparent } from "../../platform/observability/traces/trace-context.ts";
import { isTracing, type Span, traced } from "../../platform/observability/traces/tracer.ts";
import { type DispatchContext, type Dispatched, dispatch, type Stages, unexpectedReply } from "../client/dispatch.ts";
import { tokenIn } from "../client/gate/token.ts";
import type { Incoming } from "../client/incoming.ts";
import { readBody } from "../client/read-body.ts";
import { echoOf, readRequest } from "../client/read-request.ts";
import { type Reply, refusalReply } from "../client/replies.ts";
import { PREFIX } from "../client/route-table.ts";
import { batchPerTurn } from "./fast-path/batch-per-turn.ts";
import { PacedConnection } from "./fast-path/paced-connection.ts";
import { type Answered, type RecordContext, recordRequest } from "./record-request.ts";

export type ClientApiContext = DispatchContext & RecordContext & { readonly ids: Ids };

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Serves a request from the fast path or from node:http. Calls `send` with the reply, unless the sender is gone. */
export type Serve = (request: Incoming, send: (reply: Reply, requestId: string) => void) => void;

/** The client API: dispatches requests, writes replies, records metrics and logs. Unexpected errors are caught here. */
export type ClientApi = Handler & {
  readonly serve: Serve;
  /** Refuses a request as busy at minimal cost. */
  readonly shed: Serve;
  /** The account that sent these bytes. All requests without a known account share one owner. */
  readonly ownerOf: (bytes: Buffer) => string;
};

export function clientApi(ctx: ClientApiContext): ClientApi {
  const record = batchPerTurn<Answered>((all) => {
    const now = performance.now();
    for (const answered of all) recordRequest(ctx, answered, now);
  });
  // While traces are off, a request costs one comparison more.
  const serveOne: Serve = (request, send) =>
    void (isTracing() ? serveTraced(ctx, request, send, record) : serve(ctx, request, send, record));
  const handler: Handler = (request, response) => {
    serveOne(incoming(request), (reply, requestId) => writeReply(request, response, reply, requestId));
  };
  return Object.assign(handler, {
    serve: serveOne,
    shed: createShedder(ctx),
    ownerOf: (bytes) => {
      const token = tokenIn(bytes);
      return (token && ctx.gate.findToken(token)?.account.accountId) || "";
    },
  } satisfies Omit<ClientApi, keyof Handler>);
}

function incoming(request: IncomingMessage): Incoming {
  const { method = "", url = "", rawHeaders, socket } = request;
  return { method, target: url, rawHeaders, socket, arrivedAt: performance.now(), read: (limitBytes) => readBody(request, limitBytes) };
}

type Send = Parameters<Serve>[1];
type RecordAnswered = (answered: Answered) => void;

function serveTraced(ctx: ClientApiContext, request: Incoming, send: Send, record: RecordAnswered): Promise<void> {
  const { method, rawHeaders } = request;
  const parent = parseTraceparent(headerOf(rawHeaders, "traceparent"));
  const span = { name: method, kind: "server", parent, attributes: { "http.request.method": method } } as const;
  return traced(span, (started) => serve(ctx, request, send, record, started));
}

function headerOf(rawHeaders: readonly string[], name: string): string | undefined {
  const at = rawHeaders.findIndex((text, place) => place % 2 === 0 && text.toLowerCase() === name);
  return at === -1 ? undefined : rawHeaders[at + 1];
}

async function serve(
  ctx: ClientApiContext,
  request: Incoming,
  send: Send,
  record: RecordAnswered,
  span: Span | null = null,
): Promise<void> {
  const startedAt = request.arrivedAt;
  const requestId = ctx.ids.request();
  const stages: Stages = { read: 0, gate: 0, work: 0 };
  let dispatched: Dispatched | null;
  try {
    dispatched = await dispatch(ctx, request, requestId, stages);
  } catch (thrown) {
    const reply = unexpectedReply({ reference: null, signedService: false });
    dispatched = { reply, route: null, account: null, received: null, passed: null, thrown };
  }
  if (dispatched?.thrown !== undefined) logThrown(ctx, requestId, dispatched.thrown);
  if (!dispatched) return;
  const decidedAt = performance.now();
  send(dispatched.reply, requestId);
  record({ request, dispatched, requestId, startedAt, decidedAt, stages, trace: span?.context });
  if (span !== null) describe(span, request.method, dispatched, requestId);
}

function describe(span: Span, method: string, { reply, route, account }: Dispatched, requestId: string): void {
  span.name = route === null ? method : `${method} ${route.path}`;
  span.isError = reply.status >= 500;
  const { error } = reply.body;
  span.set({
    "http.response.status_code": reply.status,
    "corprail.request_id": requestId,
    ...(route === null ? {} : { "http.route": `${PREFIX}${route.path}` }),
    ...(account === null ? {} : { "corprail.account_id": account.accountId }),
    ...(typeof error === "string" ? { "error.type": error } : {}),
  });
}

const SHED_RETRY_SECONDS = 1;
const SHED_LOG_MILLISECONDS = 1_000;

/** Refuses requests without checking token or signature. It logs at most one line per second. */
function createShedder(ctx: ClientApiContext): Serve {
  let requests = 0;
  const report = () => {
    ctx.log.warn({ requests }, "requests refused as busy before they were read");
    requests = 0;
  };
  const refuse = async (...[request, send]: Parameters<Serve>) => {
    const received = await readRequest(ctx.table, request);
    if (!received) return;
    const refusal = busy(request.method === "GET" ? "nothing changed" : "nothing created", SHED_RETRY_SECONDS);
    send(refusalReply(refusal, echoOf(received)), ctx.ids.request());
    ctx.metrics.request(request.method, received.route?.path ?? "unknown", 503, (performance.now() - request.arrivedAt) / 1000);
    ctx.metrics.refusal("busy");
    requests += 1;
    if (requests === 1) setTimeout(report, SHED_LOG_MILLISECONDS).unref();
  };
  return (request, send) => {
    refuse(request, send).catch((thrown) => {
      const requestId = ctx.ids.request();
      logThrown(ctx, requestId, thrown);
      send(unexpectedReply({ reference: null, signedService: false }), requestId);
    });
  };
}

function logThrown(ctx: ClientApiContext, request: string, thrown: unknown): void {
  const trouble = databaseTrouble(thrown);
  if (trouble === null) ctx.log.error({ request, err: thrown }, "request failed unexpectedly");
  else ctx.log.warn({ request, err: thrown, trouble }, "request failed because of the database");
}

export function writeReply(request: IncomingMessage, response: ServerResponse, reply: Reply, requestId: string): void {
  if (reply.onSent) reportWhenSent(request, response, reply.onSent);
  const text = JSON.stringify(reply.body);
  const unread = !request.complete;
  const headers: OutgoingHttpHeaders = {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": requestId,
  };
  if (reply.headers) Object.assign(headers, reply.headers);
  // After a body that was not read completely, the connection cannot carry another request.
  if (unread) headers["Connection"] = "close";
  response.writeHead(reply.status, headers);
  if (unread) endAfterReading(request, response, text);
  else response.end(text);
}

const LINGER_MILLISECONDS = 1_000;

// Closing while the sender is still writing would lose the reply, so the rest is read and dropped for a moment.
function endAfterReading(request: IncomingMessage, response: ServerResponse, text: string): void {
  response.write(text);
  const end = () => void response.end();
  const cut = setTimeout(end, LINGER_MILLISECONDS);
  response.once("close", () => clearTimeout(cut));
  request.once("end", end).resume();
}

/** Reports whether the whole reply was handed to the network while the client was connected. More cannot be known. */
function reportWhenSent(request: IncomingMessage, response: ServerResponse, onSent: (answered: boolean) => void): void {
  if (request.socket.destroyed || !request.socket.writable) {
    onSent(false);
    return;
  }
  let finished = false;
  response.once("finish", () => {
    finished = true;
    // The client may be gone, so the reply does not count as sent, as on the fast path.
    onSent(!(request.socket instanceof PacedConnection && request.socket.hasEnded));
  });
  response.once("close", () => {
    if (!finished) onSent(false);
  });
}
