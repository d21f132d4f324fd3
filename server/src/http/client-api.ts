import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { type DispatchContext, type Dispatched, dispatch, type Stages, unexpectedReply } from "../corp-api/dispatch.ts";
import type { Reply } from "../corp-api/replies.ts";
import { PREFIX } from "../corp-api/route-table.ts";
import type { Ids } from "../kernel/ids.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import { shownPath } from "../observe/redact.ts";

export type ClientApiContext = DispatchContext & { readonly ids: Ids; readonly log: Log; readonly metrics: Metrics };

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** The client API as a plain HTTP handler: dispatch, write, measure, log. Unexpected faults end here. */
export function clientApi(ctx: ClientApiContext): Handler {
  return (request, response) => {
    void serve(ctx, request, response);
  };
}

async function serve(ctx: ClientApiContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const startedAt = performance.now();
  const requestId = ctx.ids.request();
  const stages: Stages = { read: 0, gate: 0, work: 0 };
  let dispatched: Dispatched | null;
  try {
    dispatched = await dispatch(ctx, request, requestId, stages);
  } catch (thrown) {
    dispatched = { reply: unexpectedReply({ reference: null, signedService: false }), route: null, account: null, thrown };
  }
  if (dispatched?.thrown !== undefined) ctx.log.error({ request: requestId, err: dispatched.thrown }, "a request failed unexpectedly");
  if (!dispatched) return;
  const decidedAt = performance.now();
  writeReply(request, response, dispatched.reply, requestId);
  record(ctx, request, dispatched, requestId, stages, startedAt, decidedAt);
}

export function writeReply(request: IncomingMessage, response: ServerResponse, reply: Reply, requestId: string): void {
  if (reply.onSent) watchReply(request, response, reply.onSent);
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
  // A body that was not read to its end cannot be followed by another request.
  if (unread) headers["Connection"] = "close";
  response.writeHead(reply.status, headers);
  if (unread) endLate(request, response, text);
  else response.end(text);
}

const LINGER_MILLISECONDS = 1_000;

// Closing on a sender that is still writing would take the reply away from it: for a moment the rest is read and dropped.
function endLate(request: IncomingMessage, response: ServerResponse, text: string): void {
  response.write(text);
  const end = () => void response.end();
  const cut = setTimeout(end, LINGER_MILLISECONDS);
  response.once("close", () => clearTimeout(cut));
  request.once("end", end).resume();
}

/** "Finished" is the last that can be known of a reply: all of it was handed to the network while the client was there. */
function watchReply(request: IncomingMessage, response: ServerResponse, onSent: (answered: boolean) => void): void {
  if (request.socket.destroyed || !request.socket.writable) {
    onSent(false);
    return;
  }
  let finished = false;
  response.once("finish", () => {
    finished = true;
    onSent(true);
  });
  response.once("close", () => {
    if (!finished) onSent(false);
  });
}

function record(
  ctx: ClientApiContext,
  request: IncomingMessage,
  dispatched: Dispatched,
  requestId: string,
  stages: Stages,
  startedAt: number,
  decidedAt: number,
): void {
  const now = performance.now();
  const route = dispatched.route?.path ?? "unknown";
  const { status, body } = dispatched.reply;
  ctx.metrics.request(request.method ?? "", route, status, (now - startedAt) / 1000);
  const { stage } = ctx.metrics;
  stage.read(stages.read / 1000);
  stage.gate(stages.gate / 1000);
  stage.work(stages.work / 1000);
  stage.write((now - decidedAt) / 1000);
  if (typeof body["error"] === "string") ctx.metrics.refusal(body["error"]);
  ctx.log.info(
    {
      request: requestId,
      account: dispatched.account?.accountId,
      method: request.method,
      path: pathOf(request, dispatched),
      status,
      error: body["error"],
      milliseconds: round(now - startedAt),
      stages: { read: round(stages.read), gate: round(stages.gate), work: round(stages.work), write: round(now - decidedAt) },
    },
    "request",
  );
}

// A route's own path holds nothing that a caller wrote.
function pathOf(request: IncomingMessage, { route }: Dispatched): string {
  return route === null || route.path.endsWith("}") ? shownPath(request.url ?? "") : PREFIX + route.path;
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}
