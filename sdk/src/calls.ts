import { type JsonObject, toWire } from "./codec.js";
import { CorprailError, NoAnswerError, RateLimitedError, ServerError, UsageError } from "./errors.js";
import { type CallOptions, readCount, type Settings } from "./settings.js";
import type { QueryPair } from "./signing.js";
import { backoffMilliseconds, type Clock, sleep } from "./time.js";
import { type Answer, Wire, type WireRequest } from "./wire.js";

export type Reply = Extract<Answer, { readonly kind: "reply" }>;
export type QueryInput = Readonly<Record<string, string | number | undefined>>;

/** Calls with bounded retries of what is safe to repeat. */
export class Calls {
  readonly #settings: Settings;
  readonly #wire: Wire;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#wire = new Wire(settings);
  }

  get clock(): Clock {
    return this.#settings.clock;
  }

  async get(path: string, query: QueryInput = {}, options: CallOptions = {}): Promise<Reply> {
    return await this.#repeat({ method: "GET", path, query: queryPairs(query), body: null }, true, options);
  }

  /** With a reference of its own it is repeated like a GET; else only what was surely not worked on is sent again. */
  async post(path: string, input: object, options: CallOptions = {}): Promise<Reply> {
    const body = toWire(input) as JsonObject;
    return await this.#repeat(postRequest(path, body), hasReference(body), options);
  }

  async attempt(request: WireRequest, options: CallOptions): Promise<Answer> {
    return await this.#wire.attempt(request, options);
  }

  maxRetries(options: CallOptions): number {
    return options.maxRetries === undefined ? this.#settings.maxRetries : readCount("maxRetries", options.maxRetries, 0);
  }

  /** Waits before a retry; false when the service asks for a longer pause than the settings allow. */
  async pause(retry: number, error: CorprailError, what: string, options: CallOptions): Promise<boolean> {
    const asked = error.retryAfterSeconds === null ? 0 : error.retryAfterSeconds * 1000;
    if (asked > this.#settings.maxRetryAfterMs) return false;
    const own = backoffMilliseconds(retry, this.#chance());
    await sleep(this.clock, Math.max(asked, own), what, options.signal);
    return true;
  }

  newReference(prefix: string): string {
    return prefix + Buffer.from(this.#settings.randomBytes(12)).toString("hex");
  }

  async #repeat(request: WireRequest, repeatable: boolean, options: CallOptions): Promise<Reply> {
    const most = this.maxRetries(options);
    for (let retry = 1; ; retry += 1) {
      const answer = await this.attempt(request, options);
      if (answer.kind === "reply") return answer;
      const { error } = answer;
      const again = isUnprocessed(error) || (repeatable && isUnanswered(error));
      if (!again || retry > most || !(await this.pause(retry, error, request.path, options))) throw error;
    }
  }

  #chance(): number {
    const [byte = 0] = this.#settings.randomBytes(1);
    return byte / 256;
  }
}

/** Encodes the body, once. */
export function postRequest(path: string, wireBody: unknown): WireRequest {
  return { method: "POST", path, query: [], body: new TextEncoder().encode(JSON.stringify(wireBody)) };
}

// Contract, section 1: a reference is unique for ever per account and call, so that a repeat acts no second time.
function hasReference(body: JsonObject): boolean {
  return [body["request_id"], body["complaint_request_id"]].some((reference) => typeof reference === "string");
}

/** The service says, or the connection proves, that nothing was done. */
export function isUnprocessed(error: CorprailError): boolean {
  if (error instanceof NoAnswerError) return error.silence === "not_sent";
  return error instanceof RateLimitedError || (error instanceof ServerError && error.error === "busy");
}

/** It may have been done, and it may not. */
export function isUnanswered(error: CorprailError): boolean {
  return (error instanceof NoAnswerError || error instanceof ServerError) && !isUnprocessed(error);
}

/** A check that failed this way is worth making again later. */
export function isPassing(error: unknown): error is CorprailError {
  return error instanceof CorprailError && (isUnprocessed(error) || isUnanswered(error));
}

function queryPairs(query: QueryInput): readonly QueryPair[] {
  const wire = toWire(query) as JsonObject;
  return Object.entries(wire).map(([name, value]) => {
    const text = String(value);
    // What cannot be encoded cannot be signed; encodeURIComponent would throw without saying where.
    if (/\p{Surrogate}/u.test(text)) throw new UsageError(`${name} holds half of a surrogate pair.`);
    return [name, text];
  });
}
