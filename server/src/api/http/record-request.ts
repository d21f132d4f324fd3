import type { CallLog } from "../../domain/api-log/call-log.ts";
import { type Log, writeInfo } from "../../platform/observability/log.ts";
import type { Metrics } from "../../platform/observability/metrics.ts";
import { shownPath } from "../../platform/observability/redact.ts";
import type { TraceContext } from "../../platform/observability/traces/trace-context.ts";
import type { Dispatched, Stages } from "../client/dispatch.ts";
import type { GateContext } from "../client/gate/gate.ts";
import type { Incoming } from "../client/incoming.ts";
import { PREFIX } from "../client/route-table.ts";
import { apiLogEntry } from "./api-log-entry.ts";

export type RecordContext = {
  readonly log: Log;
  readonly metrics: Metrics;
  /** The API log that clients can see. */
  readonly calls?: Pick<CallLog, "record"> | undefined;
  readonly gate: Pick<GateContext, "clock" | "findToken" | "trustedProxies">;
};

export type Answered = {
  readonly request: Incoming;
  readonly dispatched: Dispatched;
  readonly requestId: string;
  readonly startedAt: number;
  readonly decidedAt: number;
  readonly stages: Stages;
  readonly trace?: TraceContext | undefined;
};

/** Records the metrics and the log line of an answered request. */
export function recordRequest(ctx: RecordContext, answered: Answered, now: number): void {
  const { request, dispatched, requestId, startedAt, decidedAt, stages, trace } = answered;
  const { reply, route, account } = dispatched;
  const { error } = reply.body;
  const { method } = request;
  const seconds = (now - startedAt) / 1000;
  ctx.metrics.request(method, route?.path ?? "unknown", reply.status, seconds);
  if (trace?.isSampled)
    ctx.metrics.exemplars.keep({ method, route: route?.path ?? "unknown", status: reply.status, seconds, traceId: trace.traceId });
  const { stage } = ctx.metrics;
  stage.read(stages.read / 1000);
  stage.gate(stages.gate / 1000);
  stage.work(stages.work / 1000);
  stage.write((now - decidedAt) / 1000);
  if (typeof error === "string") ctx.metrics.refusal(error);
  writeInfo(
    ctx.log,
    `"request":"${requestId}",${trace ? `"trace_id":"${trace.traceId}","span_id":"${trace.spanId}",` : ""}${account ? `"account":"${account.accountId}",` : ""}"method":"${method}",` +
      `"path":${pathOf(request.target, route)},"status":${reply.status},${error === undefined ? "" : `"error":${JSON.stringify(error)},`}` +
      `"milliseconds":${round(now - startedAt)},"stages":{"read":${round(stages.read)},"gate":${round(stages.gate)},` +
      `"work":${round(stages.work)},"write":${round(now - decidedAt)}}`,
    "request",
  );
  if (ctx.calls) {
    const call = apiLogEntry(ctx.gate, request, dispatched, requestId, now - startedAt);
    if (call) ctx.calls.record(call);
  }
}

// A route's path contains nothing that the caller has written.
function pathOf(target: string, route: Dispatched["route"]): string {
  if (route === null || route.path.endsWith("}")) return JSON.stringify(shownPath(target));
  return `"${PREFIX}${route.path}"`;
}

// Formats integers, because formatting a fraction costs V8 ten times as much and every line has five.
function round(milliseconds: number): string {
  const hundredths = Math.round(milliseconds * 100);
  const whole = Math.floor(hundredths / 100);
  const rest = hundredths - whole * 100;
  return rest === 0 ? `${whole}` : `${whole}.${rest < 10 ? "0" : ""}${rest}`;
}
