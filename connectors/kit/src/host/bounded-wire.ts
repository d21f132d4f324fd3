import { z } from "zod";
import type { Wire, WireAnswer, WireRequest } from "../wire.ts";
import type { Mask } from "./mask.ts";
import { currentRun, runOutside } from "./running.ts";

/** What is known about a request besides the request: who waits for it, and what must be hidden in its evidence. */
export type ExchangeContext<Trace> = {
  readonly signal: AbortSignal;
  readonly trace: Trace | undefined;
  readonly hide: readonly string[];
};
/** Carries a request out. `fault` names a fault on our side, such as a refused address. */
export type RawAnswer = WireAnswer & { readonly fault?: string };
export type RawWire<Trace> = (request: WireRequest, context: ExchangeContext<Trace>) => Promise<RawAnswer>;

// Node refuses other header names and values with an exception.
const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, "is no header name");
const headerValue = z.string().regex(/^[\t\x20-\x7e\x80-\xff]{0,16384}$/, "is no header value");

const wireRequest = z.object({
  operation: z.string().regex(/^[a-z][a-z0-9_.-]{0,63}$/, "must be a short name such as recharge.pay or login"),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  url: z.string().refine((text) => /^https?:\/\//.test(text) && URL.canParse(text), "must be an http or https address"),
  headers: z.record(headerName, headerValue).default({}),
  body: z.union([z.string(), z.instanceof(Uint8Array), z.null()]).default(null),
  timeoutMs: z.int().min(1).max(120_000).optional(),
  maxBytes: z
    .int()
    .min(1)
    .max(8 * 1024 * 1024)
    .optional(),
  hide: z.array(z.string()).max(20).default([]),
});

export type BoundedWireOptions<Trace> = {
  readonly provider: string;
  readonly raw: RawWire<Trace>;
  readonly mask: Mask;
  /** The only origins that it may reach; null allows any that the address guard allows. */
  readonly origins: readonly string[] | null;
  readonly requestsAtOnce: number;
  /** Aborts when the provider is closed. */
  readonly closing: AbortSignal;
};

/** The wire as a plug-in sees it. A request that is not valid is not sent, and the answer says why. */
export function createBoundedWire<Trace>(options: BoundedWireOptions<Trace>): Wire {
  let underWay = 0;
  async function exchange(request: WireRequest, signal: AbortSignal, trace: Trace | undefined): Promise<RawAnswer> {
    underWay++;
    try {
      const hide = [...options.mask.secrets(), ...(request.hide ?? [])];
      return await runOutside(() => options.raw(request, { signal, trace, hide }));
    } catch {
      return { kind: "unknown", why: "the request failed in an unexpected way", fault: "connector" };
    } finally {
      underWay--;
    }
  }

  async function answerTo(given: unknown, run: ReturnType<typeof currentRun<Trace>>): Promise<RawAnswer> {
    const read = wireRequest.safeParse(given);
    if (!read.success) {
      const [issue] = read.error.issues;
      return {
        kind: "not_sent",
        why: `the plug-in's request is not valid: ${issue?.path.join(".")} ${issue?.message}`,
        fault: "connector",
      };
    }
    const { origin } = new URL(read.data.url);
    if (options.origins && !options.origins.includes(origin))
      return { kind: "not_sent", why: `${origin} is not among the plug-in's origins`, fault: "address" };
    if (underWay >= options.requestsAtOnce)
      return { kind: "not_sent", why: `${options.requestsAtOnce} requests of the plug-in are under way`, fault: "capacity" };
    const signal = run?.signal ?? options.closing;
    if (signal.aborted || options.closing.aborted) return { kind: "not_sent", why: "the request was aborted", fault: "shutdown" };
    const { timeoutMs, maxBytes, ...rest } = read.data;
    const limits = { ...(timeoutMs === undefined ? {} : { timeoutMs }), ...(maxBytes === undefined ? {} : { maxBytes }) };
    return await exchange({ ...rest, ...limits }, signal, run?.trace);
  }

  return {
    fetch: async (given) => {
      const run = currentRun<Trace>(options.provider);
      const { fault, ...answer } = await answerTo(given, run);
      const operation = typeof given?.operation === "string" ? given.operation : "";
      run?.ended.push({ operation, kind: answer.kind, ...(fault === undefined ? {} : { fault }) });
      return answer;
    },
  };
}
