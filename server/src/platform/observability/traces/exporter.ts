import type { FinishedSpan, SpanKind } from "./tracer.ts";

export type ExporterOptions = {
  /** The address that receives spans, such as http://127.0.0.1:4318/v1/traces. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Readonly<Record<string, string>>;
  readonly timeoutMilliseconds: number;
  readonly maxQueue: number;
  readonly maxBatch: number;
  readonly pauseMilliseconds: number;
  readonly count: (outcome: "exported" | "dropped" | "failed", spans: number) => void;
  readonly fetch?: typeof globalThis.fetch;
};

export type Exporter = {
  /** Queues a span. If the queue is full the span is dropped and counted: the service never waits for the collector. */
  readonly add: (span: FinishedSpan) => void;
  /** Sends what is queued, for a limited time. */
  readonly close: () => Promise<void>;
};

/** Sends spans in batches by OTLP over HTTP, encoded as JSON. A batch that fails is not sent again. */
export function createExporter(options: ExporterOptions): Exporter {
  let queue: FinishedSpan[] = [];
  let sending: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;

  async function sendAll(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, options.maxBatch);
      queue = queue.slice(batch.length);
      options.count((await post(options, batch)) ? "exported" : "failed", batch.length);
    }
  }
  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    sending ??= sendAll().finally(() => {
      sending = null;
    });
    return sending;
  }
  return {
    add: (span) => {
      if (queue.length >= options.maxQueue) return options.count("dropped", 1);
      queue.push(span);
      if (queue.length >= options.maxBatch) void flush();
      else timer ??= setTimeout(() => void flush(), options.pauseMilliseconds).unref();
    },
    close: async () => {
      await flush();
    },
  };
}

async function post(
  { url, headers, resource, timeoutMilliseconds, fetch: send = fetch }: ExporterOptions,
  spans: readonly FinishedSpan[],
): Promise<boolean> {
  try {
    const reply = await send(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(requestOf(resource, spans)),
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    await reply.arrayBuffer();
    return reply.ok;
  } catch {
    // A collector that is down must not disturb the service. The count of failed spans shows it.
    return false;
  }
}

const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3, producer: 4 };
const ERROR = 2;

function requestOf(resource: Readonly<Record<string, string>>, spans: readonly FinishedSpan[]): object {
  return {
    resourceSpans: [
      { resource: { attributes: attributesOf(resource) }, scopeSpans: [{ scope: { name: "corprail" }, spans: spans.map(spanOf) }] },
    ],
  };
}

function spanOf(span: FinishedSpan): object {
  return {
    traceId: span.context.traceId,
    spanId: span.context.spanId,
    ...(span.parentSpanId === null ? {} : { parentSpanId: span.parentSpanId }),
    name: span.name,
    kind: KINDS[span.kind],
    startTimeUnixNano: nanoseconds(span.startedAt),
    endTimeUnixNano: nanoseconds(span.endedAt),
    attributes: attributesOf(span.attributes),
    links: span.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
    status: span.isError ? { code: ERROR } : {},
  };
}

function nanoseconds(milliseconds: number): string {
  return (BigInt(Math.round(milliseconds * 1000)) * 1000n).toString();
}

function attributesOf(values: FinishedSpan["attributes"]): readonly object[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: string | number | boolean): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
