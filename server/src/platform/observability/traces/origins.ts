import type { TraceContext } from "./trace-context.ts";
import { currentTrace } from "./tracer.ts";

const MAX_ORIGINS = 10_000;
const origins = new Map<string, TraceContext>();

/** Remembers the trace that made an order, for the links of its callbacks. In this process, for the newest orders. */
export function rememberOrigin(orderId: string): void {
  const trace = currentTrace();
  if (trace === undefined) return;
  if (origins.size >= MAX_ORIGINS) origins.delete(origins.keys().next().value ?? "");
  origins.set(orderId, trace);
}

export function originOf(orderId: string): TraceContext | undefined {
  return origins.get(orderId);
}
