import type { Dispatcher } from "undici";
import { DialRefusal } from "../../../platform/network/guarded-connector.ts";
import type { OwnFault } from "../connector.ts";
import { type Answer, type Call, type Exchange, sentHeaders } from "./call.ts";
import { onAbort } from "./on-abort.ts";
import { ProxyRefusal } from "./proxy-connector.ts";

export const CONNECTIONS = 256;
/** What all unfinished answers of one wire may hold in memory together. */
const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;

/** What the requests of one wire share. */
export type Shared = {
  /** How many requests occupy a connection. At the connection limit the next one has to wait. */
  written: number;
  bufferedBytes: number;
};

/** What came of an answer, complete or not; null when nothing came. */
export type Heard = Omit<Answer, "endMarked"> | null;
type Resolve = (exchange: Exchange, heard: Heard) => void;
/** `waited`: how much of the time limit has passed before a turn came. */
export type AttemptLimits = { readonly wholeMilliseconds: number; readonly waited: number; readonly maxAnswerBytes: number };

/** One request. undici reports when it begins to write; an end before that proves that nothing was sent. */
export class Attempt implements Dispatcher.DispatchHandler {
  readonly #call: Call;
  readonly #shared: Shared;
  readonly #limits: AttemptLimits;
  readonly #resolve: Resolve;
  #controller: Dispatcher.DispatchController | null = null;
  #ended = false;
  #status = 0;
  #headers: Readonly<Record<string, string>> = {};
  #bytes = 0;
  readonly #chunks: Buffer[] = [];
  #cleanUp = () => {};

  constructor(call: Call, shared: Shared, limits: AttemptLimits, resolve: Resolve) {
    this.#call = call;
    this.#shared = shared;
    this.#limits = limits;
    this.#resolve = resolve;
  }

  run(agent: Dispatcher, signal: AbortSignal): void {
    if (signal.aborted) {
      this.#giveUp("the request was aborted", "shutdown");
      return;
    }
    const timer = setTimeout(() => this.#timeOut(), this.#limits.wholeMilliseconds - this.#limits.waited);
    const forget = onAbort(signal, () => this.#giveUp("the request was aborted", "shutdown"));
    this.#cleanUp = () => {
      clearTimeout(timer);
      forget();
    };
    const { origin, path, method, body } = this.#call;
    const headers = sentHeaders(this.#call);
    try {
      // Not idempotent, even for a GET: a repeated GET would be a second recharge.
      agent.dispatch({ origin, path, method, headers, body, idempotent: false }, this);
    } catch (error) {
      this.#fail(error);
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The request was given up while it waited for a connection, or would be sent a second time.
    if (this.#ended || this.#controller) {
      controller.abort(new Error("not wanted any more"));
      this.#end({ kind: "unknown", why: "the connection was lost before the answer" });
    } else {
      this.#controller = controller;
      this.#shared.written++;
    }
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: ReceivedHeaders): void {
    // Also called for interim responses; the final one comes last.
    this.#status = status;
    this.#headers = plainHeaders(headers);
    if (Number(this.#headers["content-length"] ?? 0) > this.#limits.maxAnswerBytes) this.#giveUpOversized();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#ended) return;
    this.#bytes += chunk.length;
    if (this.#bytes > this.#limits.maxAnswerBytes) this.#giveUpOversized();
    else if (this.#shared.bufferedBytes + chunk.length > MAX_BUFFERED_BYTES)
      this.#giveUp("too many large answers arrived at the same time", "capacity");
    else {
      this.#shared.bufferedBytes += chunk.length;
      this.#chunks.push(chunk);
    }
  }

  onResponseEnd(): void {
    const encoding = this.#headers["content-encoding"]?.trim() ?? "";
    if (encoding !== "" && encoding !== "identity")
      this.#end({ kind: "unknown", why: "the answer is compressed, although compression was not requested" });
    else this.#end({ kind: "answered", answer: this.#answer() });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #answer(): Answer {
    const endMarked = this.#headers["content-length"] !== undefined || this.#headers["transfer-encoding"] !== undefined;
    return { status: this.#status, headers: this.#headers, body: concatenate(this.#chunks), endMarked };
  }

  #heard(exchange: Exchange): Heard {
    if (exchange.kind === "answered") return exchange.answer;
    return this.#status === 0 ? null : this.#answer();
  }

  #timeOut(): void {
    const { wholeMilliseconds: milliseconds } = this.#limits;
    if (!this.#controller && this.#shared.written >= CONNECTIONS)
      this.#giveUp(`all ${CONNECTIONS} connections to the provider were in use for ${milliseconds} ms`, "capacity");
    else this.#giveUp(`no answer within ${milliseconds} ms`);
  }

  #giveUpOversized(): void {
    this.#giveUp(`the answer is larger than ${this.#limits.maxAnswerBytes} bytes`);
  }

  #giveUp(why: string, fault?: OwnFault): void {
    this.#end({ kind: this.#controller ? "unknown" : "not_sent", why, ...(fault ? { fault } : {}) });
    this.#controller?.abort(new Error(why));
  }

  #fail(error: unknown): void {
    this.#end({ kind: this.#controller ? "unknown" : "not_sent", ...faultOf(error) });
  }

  #end(exchange: Exchange): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#controller) this.#shared.written--;
    for (const chunk of this.#chunks) this.#shared.bufferedBytes -= chunk.length;
    this.#cleanUp();
    this.#resolve(exchange, this.#heard(exchange));
  }
}

function concatenate(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return chunks.length === 1 && only ? only : Buffer.concat(chunks);
}

type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Copies the headers only if one of them occurs several times, which is rare. */
function plainHeaders(headers: ReceivedHeaders): Readonly<Record<string, string>> {
  return arePlain(headers)
    ? headers
    : Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), joined(value)]));
}

function arePlain(headers: ReceivedHeaders): headers is Readonly<Record<string, string>> {
  for (const name in headers) if (typeof headers[name] !== "string" || name !== name.toLowerCase()) return false;
  return true;
}

function joined(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(", ") : (value ?? "");
}

// Errors of the system that say something about this machine's addresses, not about the provider.
const OWN_CODES = new Set(["EADDRNOTAVAIL", "EADDRINUSE", "EMFILE", "ENFILE"]);

function faultOf(error: unknown): { readonly why: string; readonly fault?: OwnFault } {
  if (error instanceof DialRefusal) return { why: `the address is refused: ${error.message}`, fault: error.about };
  if (error instanceof ProxyRefusal) return { why: error.message, ...(error.ours ? { fault: "proxy" as const } : {}) };
  // Described by code, because an error's message may contain parts of the request, including a secret.
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  const why = code === "" ? "the connection failed" : `the connection failed (${code})`;
  return OWN_CODES.has(code) ? { why, fault: "connector" } : { why };
}
