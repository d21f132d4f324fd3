import { Agent, type Dispatcher } from "undici";
import { type DialRules, guardedConnector } from "../../platform/network/guarded-connector.ts";
import { describeFailure } from "./failure.ts";
import type { Message } from "./formats.ts";

/** How one attempt ended. Any 2xx is delivery: then, and only then, `error` is null. */
export type Outcome = { readonly httpStatus: number | null; readonly error: string | null };

export type Sender = {
  /** Sends once, follows no redirect, and never throws. */
  readonly send: (message: Message) => Promise<Outcome>;
  /** Ends at once what is under way; nothing is sent any more. */
  readonly callOff: () => void;
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
/** What every callback is sent with. */
export const COMMON_HEADERS = { "user-agent": "Corprail-Callbacks/1", accept: "*/*", "accept-encoding": "identity" };

export function createSender(options: SenderOptions): Sender {
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
  const underWay = new Set<Attempt>();
  let isOver = false;
  const send = (message: Message) =>
    new Promise<Outcome>((resolve) => {
      const attempt = new Attempt(wholeMilliseconds, (outcome) => {
        underWay.delete(attempt);
        resolve(outcome);
      });
      underWay.add(attempt);
      if (isOver) attempt.callOff();
      else attempt.run(agent, message);
    });
  const callOff = () => {
    isOver = true;
    for (const attempt of underWay) attempt.callOff();
  };
  return { send, callOff, close: () => agent.destroy() };
}

class Attempt implements Dispatcher.DispatchHandler {
  readonly #milliseconds: number;
  readonly #resolve: (outcome: Outcome) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;
  #status: number | null = null;
  #bytes = 0;

  constructor(milliseconds: number, resolve: (outcome: Outcome) => void) {
    this.#milliseconds = milliseconds;
    this.#resolve = resolve;
  }

  callOff(): void {
    this.#stop("The attempt was called off.");
  }

  run(agent: Agent, message: Message): void {
    this.#timer = setTimeout(() => this.#stop(`No answer within ${this.#milliseconds / 1000} seconds.`), this.#milliseconds);
    const { origin, path, method, body } = message;
    try {
      agent.dispatch({ origin, path, method, headers: { ...COMMON_HEADERS, ...message.headers }, body, idempotent: false }, this);
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
    this.#resolve(this.#status === null ? { httpStatus: null, error: why } : judged(this.#status));
  }
}

function judged(status: number): Outcome {
  if (status >= 200 && status < 300) return { httpStatus: status, error: null };
  const redirect = status >= 300 && status < 400 ? "; redirects are not followed" : "";
  return { httpStatus: status, error: `The receiver answered ${status}${redirect}.` };
}
