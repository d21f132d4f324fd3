import { Agent, type Dispatcher } from "undici";
import { DialRefusal, type DialRules, guardedConnector } from "../../../platform/network/guarded-connector.ts";
import type { OwnFault } from "../connector.ts";
import { onAbort } from "./on-abort.ts";

export type Call = {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly origin: string;
  /** Path and query exactly as sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

export type Answer = {
  readonly status: number;
  readonly body: Buffer;
  /** Whether the response declared its length or end. Without that, a truncated answer looks complete. */
  readonly endMarked: boolean;
};

/** `not_sent` is proof that no byte of the request was written to a connection. `unknown` is every other missing answer. */
export type Exchange =
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "not_sent" | "unknown"; readonly why: string; readonly fault?: OwnFault };

export type Wire = {
  /** Sends once, never retries, follows no redirect, and never throws. */
  readonly exchange: (call: Call, signal: AbortSignal) => Promise<Exchange>;
  readonly close: () => Promise<void>;
};

/** The addresses that requests to providers may go to: public ones, and those that the configuration allows. */
export type Egress = Pick<DialRules, "allow" | "resolve" | "ownAddresses" | "ca">;

export type WireOptions = {
  readonly egress: Egress;
  readonly connectMilliseconds: number;
  /** Time limit from the call to the last byte of the answer, including the wait for a free connection. */
  readonly wholeMilliseconds: number;
};

const MAX_ANSWER_BYTES = 64 * 1024;
const CONNECTIONS = 256;
const CLOSE_MILLISECONDS = 2000;
const DEFAULT_HEADERS = { "user-agent": "corprail", "accept-encoding": "identity" };

export function createWire(options: WireOptions): Wire {
  const agent = new Agent({
    connections: CONNECTIONS,
    pipelining: 1,
    connect: guardedConnector({ ...options.egress, transport: "any", connectMilliseconds: options.connectMilliseconds }),
    // A single timer over the whole exchange replaces these.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const written = new Set<Attempt>();
  return {
    exchange: (call, signal) => new Promise((resolve) => new Attempt(call, written, resolve).run(agent, options.wholeMilliseconds, signal)),
    close: () => closeAgent(agent),
  };
}

async function closeAgent(agent: Agent): Promise<void> {
  const timer = setTimeout(() => void agent.destroy(), CLOSE_MILLISECONDS);
  await agent.close().catch(() => {});
  clearTimeout(timer);
}

/** One request. undici reports when it begins to write; an end before that proves that nothing was sent. */
class Attempt implements Dispatcher.DispatchHandler {
  readonly #call: Call;
  /** The requests of this wire that occupy a connection. At the connection limit the next one has to wait. */
  readonly #written: Set<Attempt>;
  readonly #resolve: (exchange: Exchange) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #ended = false;
  #status = 0;
  #endMarked = false;
  #encoded = false;
  #bytes = 0;
  readonly #chunks: Buffer[] = [];
  #cleanUp = () => {};

  constructor(call: Call, written: Set<Attempt>, resolve: (exchange: Exchange) => void) {
    this.#call = call;
    this.#written = written;
    this.#resolve = resolve;
  }

  run(agent: Agent, milliseconds: number, signal: AbortSignal): void {
    if (signal.aborted) {
      this.#giveUp("the request was aborted", "shutdown");
      return;
    }
    const timer = setTimeout(() => this.#timeOut(milliseconds), milliseconds);
    const forget = onAbort(signal, () => this.#giveUp("the request was aborted", "shutdown"));
    this.#cleanUp = () => {
      clearTimeout(timer);
      forget();
    };
    const { origin, path, method, body } = this.#call;
    const headers = { ...DEFAULT_HEADERS, ...this.#call.headers };
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
      this.#written.add(this);
    }
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // Also called for interim responses; the final one comes last.
    this.#status = status;
    this.#endMarked = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
    this.#encoded = !["", "identity"].includes(String(headers["content-encoding"] ?? "").trim());
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > MAX_ANSWER_BYTES) this.#giveUp(`the answer is larger than ${MAX_ANSWER_BYTES} bytes`);
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const answer = { status: this.#status, body: Buffer.concat(this.#chunks), endMarked: this.#endMarked };
    this.#end(
      this.#encoded
        ? { kind: "unknown", why: "the answer is compressed, although compression was not requested" }
        : { kind: "answered", answer },
    );
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #timeOut(milliseconds: number): void {
    if (!this.#controller && this.#written.size >= CONNECTIONS)
      this.#giveUp(`all ${CONNECTIONS} connections to the provider were in use for ${milliseconds} ms`, "capacity");
    else this.#giveUp(`no answer within ${milliseconds} ms`);
  }

  #giveUp(why: string, fault?: OwnFault): void {
    this.#end({ kind: this.#controller ? "unknown" : "not_sent", why, ...(fault ? { fault } : {}) });
    this.#controller?.abort(new Error(why));
  }

  #fail(error: unknown): void {
    const kind = this.#controller ? "unknown" : "not_sent";
    if (error instanceof DialRefusal) this.#end({ kind, why: `the address is refused: ${error.message}`, fault: error.about });
    else this.#end({ kind, why: describe(error) });
  }

  #end(exchange: Exchange): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#written.delete(this);
    this.#cleanUp();
    this.#resolve(exchange);
  }
}

// Described by code, because an error's message may contain parts of the request, including a secret.
function describe(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  return code === "" ? "the connection failed" : `the connection failed (${code})`;
}
