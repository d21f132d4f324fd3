import { Agent, type Dispatcher } from "undici";
import { type DialRules, guardedConnector } from "./dial.ts";
import { describeFailure } from "./failure.ts";
import type { Message } from "./formats.ts";

/** How one attempt ended. Any 2xx is delivery: then, and only then, `error` is null. */
export type Outcome = { readonly httpStatus: number | null; readonly error: string | null };

export type Sender = {
  /** Sends once, follows no redirect, and never throws. Ends early when the signal aborts. */
  readonly send: (message: Message, signal: AbortSignal) => Promise<Outcome>;
  readonly close: () => Promise<void>;
};

export type SenderOptions = Omit<DialRules, "connectMilliseconds"> & {
  /** From the call to the answer's status, names and connection included. */
  readonly wholeMilliseconds?: number;
};

const WHOLE_MILLISECONDS = 10_000;
// The status is the answer; the rest is read only to keep the connection, and not for long.
const BODY_MILLISECONDS = 1_000;
const MAX_ANSWER_BYTES = 16 * 1024;
// Shorter than servers keep idle connections, so that a request rarely meets one that is being closed.
const KEEP_ALIVE_MILLISECONDS = 2_000;
const CALLED_OFF = "The attempt was called off.";
const HEADERS = { "user-agent": "Corprail-Callbacks/1", accept: "*/*", "accept-encoding": "identity" };

export function openSender(options: SenderOptions): Sender {
  const wholeMilliseconds = options.wholeMilliseconds ?? WHOLE_MILLISECONDS;
  const agent = new Agent({
    pipelining: 1,
    connect: guardedConnector({ ...options, connectMilliseconds: wholeMilliseconds }),
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    keepAliveMaxTimeout: KEEP_ALIVE_MILLISECONDS,
    // One clock of our own runs over the whole attempt instead.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    send: (message, signal) => new Promise((resolve) => new Attempt(wholeMilliseconds, resolve).run(agent, message, signal)),
    close: () => agent.destroy(),
  };
}

class Attempt implements Dispatcher.DispatchHandler {
  readonly #milliseconds: number;
  readonly #resolve: (outcome: Outcome) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #timer: NodeJS.Timeout | undefined;
  #forget = () => {};
  #ended = false;
  #status: number | null = null;
  #bytes = 0;

  constructor(milliseconds: number, resolve: (outcome: Outcome) => void) {
    this.#milliseconds = milliseconds;
    this.#resolve = resolve;
  }

  run(agent: Agent, message: Message, signal: AbortSignal): void {
    const stop = () => this.#stop(CALLED_OFF);
    if (signal.aborted) {
      stop();
      return;
    }
    signal.addEventListener("abort", stop, { once: true });
    this.#forget = () => signal.removeEventListener("abort", stop);
    this.#timer = setTimeout(() => this.#stop(`No answer within ${this.#milliseconds / 1000} seconds.`), this.#milliseconds);
    const { origin, path, method, body } = message;
    try {
      agent.dispatch({ origin, path, method, headers: { ...HEADERS, ...message.headers }, body, idempotent: false }, this);
    } catch (error) {
      this.#end(describeFailure(error));
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Over while it waited for a connection, or about to be written a second time with the same nonce.
    if (this.#ended || this.#controller) {
      controller.abort(new Error("not wanted any more"));
      this.#end("The connection was lost before the answer.");
    } else {
      this.#controller = controller;
    }
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    if (status < 200) return;
    this.#status = status;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#stop(""), BODY_MILLISECONDS);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > MAX_ANSWER_BYTES) this.#stop("");
  }

  onResponseEnd(): void {
    this.#end("");
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(describeFailure(error));
  }

  #stop(why: string): void {
    this.#end(why);
    this.#controller?.abort(new Error("the attempt is over"));
  }

  #end(why: string): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#forget();
    this.#resolve(this.#status === null ? { httpStatus: null, error: why } : judged(this.#status));
  }
}

function judged(status: number): Outcome {
  if (status >= 200 && status < 300) return { httpStatus: status, error: null };
  const redirect = status >= 300 && status < 400 ? "; redirects are not followed" : "";
  return { httpStatus: status, error: `The receiver answered ${status}${redirect}.` };
}
