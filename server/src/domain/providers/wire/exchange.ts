import { createSecureContext } from "node:tls";
import { Agent } from "undici";
import { type ClientCertificate, type DialRules, guardedConnector } from "../../../platform/network/guarded-connector.ts";
import { traceparentOf } from "../../../platform/observability/traces/trace-context.ts";
import { isTracing, traced } from "../../../platform/observability/traces/tracer.ts";
import { textMask } from "../masking/mask-secrets.ts";
import { Attempt, type AttemptLimits, CONNECTIONS, type Heard, type Shared } from "./attempt.ts";
import type { Call, Evidence, Exchange } from "./call.ts";
import { type Exchanged, evidenceOf } from "./evidence.ts";
import { type ProxySettings, proxyConnector } from "./proxy-connector.ts";
import { createSendLimits, type LimitSettings, type Turn, type TurnRefusal } from "./send-limits.ts";

export type { Answer, Call, Evidence, Exchange } from "./call.ts";

export type Wire = {
  /** Sends once, never retries, follows no redirect, and never throws. */
  readonly exchange: (call: Call, signal: AbortSignal, evidence?: Evidence) => Promise<Exchange>;
  readonly close: () => Promise<void>;
};

/** The addresses that requests to providers may go to: public ones, and those that the configuration allows. */
export type Egress = Pick<DialRules, "allow" | "resolve" | "ownAddresses" | "ca">;

export type WireOptions = {
  readonly egress: Egress;
  readonly connectMilliseconds: number;
  /** Time limit from the call to the last byte of the answer, including the wait for a turn and for a free connection. */
  readonly wholeMilliseconds: number;
  /** Identifies us to the provider; see `clientCertificateFault`. */
  readonly clientCertificate?: ClientCertificate;
  /** Certificates of the provider to trust instead of the system's, in PEM. */
  readonly ca?: string;
  readonly proxy?: ProxySettings;
  /** The address of this machine that requests come from. */
  readonly localAddress?: string;
  readonly limits?: LimitSettings;
  /** Masks the provider's secrets, including tokens that it has issued. */
  readonly mask?: (text: string) => string;
  /** The time of evidence, in milliseconds since 1970. */
  readonly now?: () => number;
};

/** Makes the wire of a connector. A recording puts one of its own in the place of the network. */
export type CreateWire = (options: WireOptions) => Wire;

const TRANSACTION_ANSWER_BYTES = 64 * 1024;
const QUERY_ANSWER_BYTES = 8 * 1024 * 1024;
const CLOSE_MILLISECONDS = 2000;
// Who waited for half of the time limit would leave the provider too little of it.
const WAITING_SHARE = 0.5;

/** The only way to a provider. Every connector has its own wire, so the limits are those of one provider in this process. */
export function createWire(options: WireOptions): Wire {
  const agent = new Agent({
    connections: CONNECTIONS,
    pipelining: 1,
    connect: connectorOf(options),
    // A single timer over the whole exchange replaces these.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const shared: Shared = { written: 0, bufferedBytes: 0 };
  const limits = createSendLimits(options.limits ?? {});
  const certificateFault = options.clientCertificate ? clientCertificateFault(options.clientCertificate) : null;

  /** Not an async function: most calls get a turn at once and then wait only for their answer. */
  function run(call: Call, signal: AbortSignal): Promise<Ended> | Ended {
    if (certificateFault !== null) return notSent({ why: certificateFault, fault: "credentials" });
    if (signal.aborted) return notSent({ why: "the request was aborted", fault: "shutdown" });
    const wholeMilliseconds = call.wholeMilliseconds ?? options.wholeMilliseconds;
    const startedAt = performance.now();
    const turn = limits.take({ isQuery: call.kind === "query", signal, milliseconds: wholeMilliseconds * WAITING_SHARE });
    const proceed = (taken: Turn) => {
      if (!taken.ok) return notSent(taken);
      const waited = Math.min(performance.now() - startedAt, wholeMilliseconds);
      return attempt(call, signal, { wholeMilliseconds, waited, maxAnswerBytes: largestAnswer(call) }, taken.release);
    };
    return turn instanceof Promise ? turn.then(proceed) : proceed(turn);
  }

  function attempt(call: Call, signal: AbortSignal, within: AttemptLimits, release: () => void): Promise<Ended> {
    return new Promise((resolve) => {
      const onEnd = (exchange: Exchange, heard: Heard) => {
        release();
        resolve({ exchange, heard });
      };
      new Attempt(call, shared, within, onEnd).run(agent, signal);
    });
  }

  return {
    exchange: async (call, signal, evidence) => {
      const startedAt = (options.now ?? Date.now)();
      const start = performance.now();
      const ended = await (isTracing() ? traceCall(call, evidence?.operation, (sent) => run(sent, signal)) : run(call, signal));
      const { exchange, heard } = ended;
      if (evidence?.record) {
        const { operation, shown } = evidence;
        const kept = shown ? { ...call, ...shown } : call;
        report(options, evidence, { operation, startedAt, milliseconds: performance.now() - start, call: kept, exchange, heard });
      }
      return exchange;
    },
    close: () => closeAgent(agent),
  };
}

function largestAnswer({ kind, maxAnswerBytes }: Call): number {
  const usual = kind === "query" ? QUERY_ANSWER_BYTES : TRANSACTION_ANSWER_BYTES;
  return Math.min(maxAnswerBytes ?? usual, QUERY_ANSWER_BYTES);
}

/** The provider gets our trace, so that its own spans can join it. */
async function traceCall(call: Call, operation: string | undefined, run: (call: Call) => Promise<Ended> | Ended): Promise<Ended> {
  const attributes = { "http.request.method": call.method, "server.address": new URL(call.origin).hostname };
  return await traced({ name: operation ?? call.method, kind: "client", attributes }, async (span) => {
    if (span === null) return await run(call);
    const ended = await run({ ...call, headers: { ...call.headers, traceparent: traceparentOf(span.context) } });
    const { exchange } = ended;
    span.isError = exchange.kind !== "answered";
    if (exchange.kind === "answered") span.set({ "http.response.status_code": exchange.answer.status });
    else span.set({ "error.type": exchange.kind });
    return ended;
  });
}

type Ended = { readonly exchange: Exchange; readonly heard: Heard };

function notSent({ why, fault }: TurnRefusal): Ended {
  return { exchange: { kind: "not_sent", why, fault }, heard: null };
}

function connectorOf(options: WireOptions) {
  const { egress, connectMilliseconds, clientCertificate, ca, localAddress, proxy } = options;
  const rules: DialRules = {
    ...egress,
    transport: "any",
    connectMilliseconds,
    ...(ca === undefined ? {} : { ca }),
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
    ...(localAddress === undefined ? {} : { localAddress }),
  };
  return proxy ? proxyConnector(rules, proxy) : guardedConnector(rules);
}

/** Why a certificate and its key cannot be used; null when they can. */
export function clientCertificateFault({ certificate, key, passphrase }: ClientCertificate): string | null {
  try {
    createSecureContext({ cert: certificate, key, ...(passphrase === undefined ? {} : { passphrase }) });
    return null;
  } catch {
    // The error may contain part of the key.
    return "the client certificate and its key are not valid PEM or do not belong together";
  }
}

function report({ mask = (text) => text }: WireOptions, { record, readable = [], hidden = [] }: Evidence, exchanged: Exchanged): void {
  record?.(evidenceOf(exchanged, { secrets: hidden.length === 0 ? mask : maskBoth(mask, hidden), readable }));
}

function maskBoth(mask: (text: string) => string, hidden: readonly string[]): (text: string) => string {
  const hide = textMask(hidden);
  return (text) => hide(mask(text));
}

async function closeAgent(agent: Agent): Promise<void> {
  const timer = setTimeout(() => void agent.destroy(), CLOSE_MILLISECONDS);
  await agent.close().catch(() => {});
  clearTimeout(timer);
}
