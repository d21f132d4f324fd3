import type { IncomingMessage, ServerResponse } from "node:http";
import { type DispatchContext, type Dispatched, dispatch, type Stages } from "../corp-api/dispatch.ts";
import { type Reply, refusalReply } from "../corp-api/replies.ts";
import type { Ids } from "../kernel/ids.ts";
import { refused } from "../kernel/refusals.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";

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
  } catch (error) {
    ctx.log.error({ request: requestId, err: error }, "a request failed unexpectedly");
    dispatched = { reply: unexpected(), route: null, account: null };
  }
  if (!dispatched) return;
  const decidedAt = performance.now();
  writeReply(request, response, dispatched.reply, requestId);
  record(ctx, request, dispatched, requestId, stages, startedAt, decidedAt);
}

export function unexpected(): Reply {
  return refusalReply(
    refused("internal_error", "Something went wrong on our side. Look the transaction up by its reference before trying again."),
    {
      reference: null,
      signedService: false,
    },
  );
}

export function writeReply(request: IncomingMessage, response: ServerResponse, reply: Reply, requestId: string): void {
  const text = JSON.stringify(reply.body);
  // A body that was not read to its end cannot be followed by another request.
  const unread = !request.complete;
  response.writeHead(reply.status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": requestId,
    ...reply.headers,
    ...(unread ? { Connection: "close" } : {}),
  });
  response.end(text, unread ? () => request.destroy() : undefined);
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
  const milliseconds = { ...stages, write: now - decidedAt };
  for (const stage of ["read", "gate", "work", "write"] as const) ctx.metrics.stage(stage, milliseconds[stage] / 1000);
  if (typeof body["error"] === "string") ctx.metrics.refusal(body["error"]);
  ctx.log.info(
    {
      request: requestId,
      account: dispatched.account?.accountId,
      method: request.method,
      path: (request.url ?? "").split("?", 1)[0]?.slice(0, 200),
      status,
      error: body["error"],
      milliseconds: round(now - startedAt),
      stages: { read: round(stages.read), gate: round(stages.gate), work: round(stages.work), write: round(now - decidedAt) },
    },
    "request",
  );
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}
