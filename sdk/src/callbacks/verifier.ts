import { timingSafeEqual } from "node:crypto";
import { isObject } from "../codec.js";
import { UsageError } from "../errors.js";
import { hmacHex } from "../signing.js";
import { type Clock, seconds, systemClock } from "../time.js";
import { memoryNonces } from "./nonces.js";
import { readCallback } from "./read-callback.js";
import type { CallbackRefusal, IncomingCallback, NonceStore, Verdict } from "./types.js";
import { hashedText, parseQuery } from "./version-2.js";

export type VerifierOptions = {
  /** The API token: takes version 2. Leave it out once you have switched to version 3. */
  readonly token?: string | undefined;
  /** Begins with `cbk_`: takes version 3. */
  readonly callbackSecret?: string | undefined;
  /** In this process's memory unless set. */
  readonly nonces?: NonceStore | undefined;
  readonly clock?: Clock | undefined;
};

type Fields = Readonly<Record<string, string>>;

/** Spec, Events, delivery rule 3. */
const FRESH_SECONDS = 300;

/** Verifies callbacks of both versions on what arrived, byte for byte. */
export class CallbackVerifier {
  readonly #token: string | null;
  readonly #secret: string | null;
  readonly #nonces: NonceStore;
  readonly #clock: Clock;

  constructor(options: VerifierOptions) {
    this.#token = options.token ?? null;
    this.#secret = options.callbackSecret ?? null;
    this.#clock = options.clock ?? systemClock;
    this.#nonces = options.nonces ?? memoryNonces(this.#clock);
    // An empty key would accept what anybody can sign.
    if (this.#token === "" || this.#secret === "" || (this.#token === null && this.#secret === null)) {
      throw new UsageError("Give the verifier the API token (version 2), the callback secret (version 3), or both.");
    }
    if (this.#secret !== null && !this.#secret.startsWith("cbk_")) throw new UsageError("callbackSecret must begin with cbk_.");
  }

  /** Signature first, then freshness, then replay: a stranger can neither fill the store nor learn from the order. */
  async verify(incoming: IncomingCallback): Promise<Verdict> {
    const fields = this.#signed(incoming);
    if (typeof fields === "string") return { ok: false, reason: fields };
    const ts = /^[1-9][0-9]{9}$/.test(fields["ts"] ?? "") ? Number(fields["ts"]) : null;
    const callback = ts === null ? null : readCallback(incoming.method === "GET" ? 2 : 3, fields, ts);
    if (ts === null || callback === null) return { ok: false, reason: "malformed" };
    if (Math.abs(seconds(this.#clock) - ts) > FRESH_SECONDS) return { ok: false, reason: "stale" };
    if (!(await this.#nonces.remember(callback.nonce, ts + FRESH_SECONDS))) return { ok: false, reason: "replayed" };
    return { ok: true, callback };
  }

  #signed(incoming: IncomingCallback): Fields | CallbackRefusal {
    if (incoming.method === "GET") return this.#version2(incoming.url);
    if (incoming.method !== "POST") return "not_a_callback";
    if (!(incoming.body instanceof Uint8Array)) {
      throw new UsageError("The verifier needs the body's bytes as received, not text and not a parsed object.");
    }
    return this.#version3(incoming);
  }

  #version2(url: string): Fields | CallbackRefusal {
    if (this.#token === null) return "version_not_accepted";
    const parameters = parseQuery(url);
    if (parameters === null) return "wrong_signature";
    const { hash, ...signed } = parameters;
    return isSame(hash, hmacHex(this.#token, hashedText(signed))) ? signed : "wrong_signature";
  }

  // X-Callback-Timestamp is not looked at: it repeats the body's ts, and only that is signed.
  #version3({ headers, body }: IncomingCallback): Fields | CallbackRefusal {
    if (this.#secret === null) return "version_not_accepted";
    if (!isSame(headerOf(headers, "x-callback-signature"), hmacHex(this.#secret, body))) return "wrong_signature";
    return stringFields(body) ?? "malformed";
  }
}

function headerOf(headers: IncomingCallback["headers"], name: string): string | undefined {
  const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name);
  const value = key === undefined ? undefined : headers[key];
  return typeof value === "string" ? value : undefined;
}

function isSame(given: string | undefined, made: string): boolean {
  const [a, b] = [Buffer.from(given ?? "", "utf8"), Buffer.from(made, "utf8")];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Every value is a JSON string today; one of another type that is added later must not make the message unreadable. */
function stringFields(body: Uint8Array): Fields | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    if (!isObject(value)) return null;
    return Object.fromEntries(Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === "string"));
  } catch {
    return null;
  }
}
