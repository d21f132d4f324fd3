import { Agent, type Dispatcher, errors } from "undici";
import { DialRefusal, type DialRules, guardedConnector } from "../../../platform/network/guarded-connector.ts";
import type { Message } from "./formats.ts";
import { MAX_EXCERPT_BYTES, replyExcerpt } from "./reply-excerpt.ts";

/** The result of one attempt. `error` is null only for a delivery, which is any 2xx. */
export type Outcome = {
  readonly httpStatus: number | null;
  readonly error: string | null;
  /** The beginning of the receiver's reply, masked; absent if it was empty. */
  readonly reply?: string | undefined;
};

export type Sender = {
  /** Sends once, follows no redirect, and never throws. */
  readonly send: (message: Message) => Promise<Outcome>;
  /** Aborts all current attempts and refuses further ones. */
  readonly cancel: () => void;
  readonly close: () => Promise<void>;
};

export type SenderOptions = Omit<DialRules, "connectMilliseconds"> & {
  /** Time limit from the call to the response status, including name resolution and connection. */
  readonly wholeMilliseconds?: number;
};

const WHOLE_MILLISECONDS = 10_000;
// The status decides the result. The body is read only for the log and to reuse the connection, and for a short time.
const BODY_MILLISECONDS = 1_000;
const MAX_ANSWER_BYTES = 16 * 1024;
// Shorter than the keep-alive time of common servers, so that a request rarely meets a connection that is being closed.
const KEEP_ALIVE_MILLISECONDS = 2_000;
/** Headers of every callback. */
export const COMMON_HEADERS = { "user-agent": "Corprail-Callbacks/1", accept: "*/*", "accept-encoding": "identity" };

export function createSender(options: SenderOptions): Sender {
  const wholeMilliseconds = options.wholeMilliseconds ?? WHOLE_MILLISECONDS;
  const agent = new Agent({
    pipelining: 1,
    connect: guardedConnector({ ...options, connectMilliseconds: wholeMilliseconds }),
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    keepAliveMaxTimeout: KEEP_ALIVE_MILLISECONDS,
    // A single timer over the whole attempt replaces these.
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
      if (isOver) attempt.cancel();
      else attempt.run(agent, message);
    });
  const cancel = () => {
    isOver = true;
    for (const attempt of underWay) attempt.cancel();
  };
  return { send, cancel, close: () => agent.destroy() };
}

class Attempt implements Dispatcher.DispatchHandler {
  readonly #milliseconds: number;
  readonly #resolve: (outcome: Outcome) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;
  #status: number | null = null;
  #bytes = 0;
  readonly #begin: Buffer[] = [];

  constructor(milliseconds: number, resolve: (outcome: Outcome) => void) {
    this.#milliseconds = milliseconds;
    this.#resolve = resolve;
  }

  cancel(): void {
    this.#stop("The attempt was cancelled.");
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
    // The attempt ended while it waited for a connection, or the request would be sent again with the same nonce.
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
    // Copied, because the chunk is a part of a larger buffer that is used again.
    if (this.#bytes < MAX_EXCERPT_BYTES) this.#begin.push(Buffer.from(chunk.subarray(0, MAX_EXCERPT_BYTES - this.#bytes)));
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
    this.#resolve(this.#status === null ? { httpStatus: null, error: why } : toOutcome(this.#status, Buffer.concat(this.#begin)));
  }
}

function toOutcome(status: number, begin: Buffer): Outcome {
  const isDelivered = status >= 200 && status < 300;
  const reply = replyExcerpt(begin, isDelivered);
  if (isDelivered) return { httpStatus: status, error: null, reply };
  const redirect = status >= 300 && status < 400 ? "; redirects are not followed" : "";
  return { httpStatus: status, error: `The receiver answered ${status}${redirect}.`, reply };
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The connection was refused.",
  ECONNRESET: "The connection was lost before the answer.",
  UND_ERR_SOCKET: "The connection was lost before the answer.",
  EHOSTUNREACH: "The host cannot be reached.",
  ENETUNREACH: "The host cannot be reached.",
  ETIMEDOUT: "The host did not accept the connection in time.",
  UND_ERR_CONNECT_TIMEOUT: "The host did not accept the connection in time.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate is for another name.",
  CERT_HAS_EXPIRED: "The certificate has expired.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The certificate is self-signed.",
  SELF_SIGNED_CERT_IN_CHAIN: "The certificate's issuer is not trusted.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The certificate's issuer is not trusted.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "The certificate's issuer is not trusted.",
};

/** Describes an error by its code, because its message may contain the URL or data from the receiver. */
function describeFailure(error: unknown): string {
  if (error instanceof DialRefusal) return error.message;
  const code = codeOf(error);
  if (WORDS[code] !== undefined) return WORDS[code];
  if (error instanceof errors.HTTPParserError) return "The response is not valid HTTP.";
  if (/^(ERR_SSL|EPROTO)/.test(code)) return "The TLS handshake failed.";
  return /^[A-Z0-9_]{1,60}$/.test(code) ? `The connection failed (${code}).` : "The connection failed.";
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
