import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import type { TraceContext } from "./trace-context.ts";

/** Values of attributes: never personal data, secrets, or texts that a caller has written. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export type SpanKind = "internal" | "server" | "client" | "producer";

export type SpanOptions = {
  readonly name: string;
  readonly kind: SpanKind;
  /** The caller's span; by default the current one. Null begins a new trace. */
  readonly parent?: TraceContext | null;
  /** Other traces that this span works for, such as the requests of a batch. */
  readonly links?: readonly TraceContext[];
  readonly attributes?: Attributes;
};

export type FinishedSpan = {
  readonly context: TraceContext;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  /** Milliseconds since 1970, with fractions. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Attributes;
  readonly links: readonly TraceContext[];
  readonly isError: boolean;
};

/** A span that has not ended. */
export type Span = {
  readonly context: TraceContext;
  name: string;
  isError: boolean;
  readonly set: (attributes: Attributes) => void;
};

/** Decides whether a trace that begins here, or continues one, is recorded. */
export type Sampler = (traceId: string, parent: TraceContext | null) => boolean;

export type Tracer = { readonly sampler: Sampler; readonly export: (span: FinishedSpan) => void };

// One for the process, like the standard output of its log. It stays null unless traces are configured, and then nothing
// below does more than compare it: no storage is entered, so Node installs no hooks for it.
let tracer: Tracer | null = null;
const storage = new AsyncLocalStorage<TraceContext>();

/** Switches traces on, or off with null. Returns how to undo it. */
export function useTracer(next: Tracer | null): () => void {
  const before = tracer;
  tracer = next;
  return () => {
    tracer = before;
  };
}

export function isTracing(): boolean {
  return tracer !== null;
}

/** The span in which the caller runs; undefined while traces are off. */
export function currentTrace(): TraceContext | undefined {
  return tracer === null ? undefined : storage.getStore();
}

/** Runs work inside a span, which ends with it. Without traces it only runs the work, with null instead of a span. */
export async function traced<Value>(options: SpanOptions, work: (span: Span | null) => Promise<Value>): Promise<Value> {
  const active = tracer;
  if (active === null) return await work(null);
  const { span, finish } = begin(active, options);
  try {
    return await storage.run(span.context, work, span);
  } catch (error) {
    span.isError = true;
    throw error;
  } finally {
    finish();
  }
}

/** Begins a span around callbacks, such as the hooks of a web server. `enter` runs the rest inside it. */
export function startSpan(
  options: SpanOptions,
): { readonly span: Span; readonly enter: (rest: () => void) => void; readonly finish: () => void } | null {
  if (tracer === null) return null;
  const { span, finish } = begin(tracer, options);
  return { span, finish, enter: (rest) => storage.run(span.context, rest) };
}

function begin(
  active: Tracer,
  { name, kind, links = [], attributes = {}, ...given }: SpanOptions,
): { readonly span: Span; readonly finish: () => void } {
  const parent = given.parent === undefined ? (storage.getStore() ?? null) : given.parent;
  const traceId = parent?.traceId ?? randomBytes(16).toString("hex");
  // A batch is recorded if one of its requests is.
  const isSampled = parent === null && links.length > 0 ? links.some((link) => link.isSampled) : active.sampler(traceId, parent);
  const context = { traceId, spanId: randomBytes(8).toString("hex"), isSampled };
  const all: Record<string, string | number | boolean> = { ...attributes };
  const span: Span = { context, name, isError: false, set: (more) => void Object.assign(all, more) };
  const startedAt = now();
  return {
    span,
    finish: () => {
      if (!isSampled) return;
      const { name: finalName, isError } = span;
      const parentSpanId = parent?.spanId ?? null;
      active.export({ context, parentSpanId, name: finalName, kind, startedAt, endedAt: now(), attributes: all, links, isError });
    },
  };
}

function now(): number {
  return performance.timeOrigin + performance.now();
}
