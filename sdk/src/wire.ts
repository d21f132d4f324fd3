import { isObject, type JsonObject } from "./codec.js";
import { errorFromReply } from "./error-from-reply.js";
import { AbortedError, type CorprailError, NoAnswerError, RateLimitedError, ServerError, type Silence, UsageError } from "./errors.js";
import { type CallOptions, readCount, type Settings } from "./settings.js";
import { canonicalQuery, type QueryPair, signRequest } from "./signing.js";
import { retryAfterSeconds, seconds } from "./time.js";

const PREFIX = "/api/corp/v1";
/** Spec, Request signing: these take no call by the token alone. */
const MUST_SIGN = /^\/(?:bills|transfers|bus|aeps)(?:\/|$)/;
const NO_BYTES = new Uint8Array();
/** Codes of a connection that was never made: the service cannot have seen the request. */
const NOT_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

export type WireRequest = {
  readonly method: "GET" | "POST";
  /** Below /api/corp/v1. */
  readonly path: string;
  readonly query: readonly QueryPair[];
  /** Encoded once by the caller, so that every attempt signs and sends the same bytes. */
  readonly body: Uint8Array | null;
};

export type Answer =
  | { readonly kind: "reply"; readonly httpStatus: number; readonly body: JsonObject; readonly requestId: string | null }
  | { readonly kind: "error"; readonly error: CorprailError };

/** Makes one attempt: signs, sends, reads. Knows nothing of retries. */
export class Wire {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  async attempt(request: WireRequest, options: CallOptions): Promise<Answer> {
    const what = `${request.method} ${request.path}`;
    const init = this.#init(request);
    const url = this.#url(request);
    if (options.signal?.aborted) throw new AbortedError(what);
    const ending = new AbortController();
    const { promise: ended, end } = endOf(ending);
    const timeoutMs = options.timeoutMs === undefined ? this.#settings.timeoutMs : readCount("timeoutMs", options.timeoutMs, 1);
    const takeBack = this.#settings.clock.after(timeoutMs, () => end("timeout"));
    const abort = () => end("aborted");
    options.signal?.addEventListener("abort", abort, { once: true });
    try {
      // Raced, because a fetch that was handed in may not heed its signal.
      const answer = await Promise.race([this.#exchange(url, { ...init, signal: ending.signal }, what), ended]);
      if (answer === "aborted") throw new AbortedError(what);
      if (answer === "timeout") return failure(new NoAnswerError(`${what} was not answered within ${timeoutMs} ms.`, "timeout"));
      return answer;
    } finally {
      takeBack();
      options.signal?.removeEventListener("abort", abort);
    }
  }

  #url(request: WireRequest): string {
    const query = canonicalQuery(request.query);
    return `${this.#settings.origin}${PREFIX}${request.path}${query === "" ? "" : `?${query}`}`;
  }

  #init(request: WireRequest): RequestInit {
    const { signingSecret, token } = this.#settings;
    if (signingSecret === null && MUST_SIGN.test(request.path)) {
      throw new UsageError(`${request.path} must be signed: give the client a signingSecret.`);
    }
    const body = request.body === null ? {} : { "Content-Type": "application/json" };
    const signature = signingSecret === null ? {} : this.#signature(signingSecret, request);
    return {
      method: request.method,
      headers: { Accept: "application/json", "X-Api-Token": token, ...body, ...signature },
      body: request.body,
      // The service never redirects; the token must not follow where a stranger points.
      redirect: "manual",
    };
  }

  // Spec, Request signing, rule 3: a new timestamp and nonce for every attempt.
  #signature(secret: string, request: WireRequest): Readonly<Record<string, string>> {
    const timestamp = String(seconds(this.#settings.clock));
    const nonce = Buffer.from(this.#settings.randomBytes(16)).toString("hex");
    const { method, query } = request;
    const signature = signRequest(secret, { method, path: PREFIX + request.path, query, body: request.body ?? NO_BYTES, timestamp, nonce });
    return { "X-Api-Timestamp": timestamp, "X-Api-Nonce": nonce, "X-Api-Signature": signature };
  }

  async #exchange(url: string, init: RequestInit, what: string): Promise<Answer> {
    try {
      const response = await this.#settings.fetch(url, init);
      return this.#understand(response, await response.text(), what);
    } catch (error) {
      return failure(this.#connectionError(error, what));
    }
  }

  #understand(response: Response, text: string, what: string): Answer {
    const httpStatus = response.status;
    const requestId = response.headers.get("x-request-id");
    const body = parsedObject(text);
    if (body !== null && httpStatus >= 200 && httpStatus < 300) return { kind: "reply", httpStatus, body, requestId };
    const after = retryAfterSeconds(response.headers.get("retry-after"), this.#settings.clock.now());
    const refusal = { httpStatus, body: body ?? {}, requestId, retryAfterSeconds: after };
    const typed = httpStatus >= 400 ? errorFromReply(refusal, (words) => this.#redact(words)) : null;
    return failure(typed ?? strangeReply(what, { httpStatus, requestId, retryAfterSeconds: after }));
  }

  #connectionError(error: unknown, what: string): NoAnswerError {
    const code = codeOf(error);
    const words = error instanceof Error ? error.message : String(error);
    const silence: Silence = code !== null && NOT_SENT.has(code) ? "not_sent" : "connection";
    return new NoAnswerError(`${what} got no answer: ${this.#redact(words)}${code === null ? "" : ` (${code})`}.`, silence);
  }

  // What others wrote goes into our errors: the service's words, and those of a fetch that quotes a header.
  #redact(text: string): string {
    const { token, signingSecret } = this.#settings;
    const hidden = text.replaceAll(token, "[token]");
    return signingSecret === null ? hidden : hidden.replaceAll(signingSecret, "[signing secret]");
  }
}

function endOf(ending: AbortController): {
  readonly promise: Promise<"timeout" | "aborted">;
  readonly end: (why: "timeout" | "aborted") => void;
} {
  let resolve: (why: "timeout" | "aborted") => void = () => {};
  const promise = new Promise<"timeout" | "aborted">((settle) => {
    resolve = settle;
  });
  const end = (why: "timeout" | "aborted") => {
    resolve(why);
    ending.abort();
  };
  return { promise, end };
}

function failure(error: CorprailError): Answer {
  return { kind: "error", error };
}

type Strange = { readonly httpStatus: number; readonly requestId: string | null; readonly retryAfterSeconds: number | null };

/** A reply that is not the service's own, as from a proxy before it. */
function strangeReply(what: string, details: Strange): CorprailError {
  const message = `${what} got a reply that cannot be understood (HTTP ${details.httpStatus}).`;
  if (details.httpStatus === 429) return new RateLimitedError(message, { ...details, error: "rate_limited" });
  if (details.httpStatus >= 500) return new ServerError(message, { ...details, error: "http_error" });
  return new NoAnswerError(message, "unreadable", details);
}

function parsedObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function codeOf(error: unknown): string | null {
  const candidates = [error, error instanceof Error ? error.cause : null];
  const codes = candidates.map((candidate) => (isObject(candidate) ? candidate["code"] : null));
  return codes.find((code): code is string => typeof code === "string") ?? null;
}
