import { randomBytes } from "node:crypto";
import { UsageError } from "./errors.js";
import { type Clock, systemClock } from "./time.js";

export type CorprailOptions = {
  /** Scheme and host, such as `https://api.example.in`. Plain http is taken for this machine only. */
  readonly baseUrl: string;
  readonly token: string;
  /** Begins with `sig_`. With it every call is signed; bills, transfers, bus and AEPS need it. */
  readonly signingSecret?: string | undefined;
  /** For one attempt. 30 000 unless set. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first, for what is safe to repeat. 2 unless set. */
  readonly maxRetries?: number | undefined;
  /** A longer Retry-After is not slept through but thrown as RateLimitedError. 60 000 unless set. */
  readonly maxRetryAfterMs?: number | undefined;
  /** Lets plain http go to another machine, as in a private network for tests. */
  readonly allowInsecure?: boolean | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly clock?: Clock | undefined;
  readonly randomBytes?: ((count: number) => Uint8Array) | undefined;
};

/** What any call takes besides its input. */
export type CallOptions = {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
};

export type Settings = {
  readonly origin: string;
  readonly token: string;
  readonly signingSecret: string | null;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly maxRetryAfterMs: number;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
};

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

export function readSettings(options: CorprailOptions): Settings {
  return {
    origin: readOrigin(options.baseUrl, options.allowInsecure ?? false),
    token: readCredential("token", options.token),
    signingSecret: options.signingSecret === undefined ? null : readSigningSecret(options.signingSecret),
    timeoutMs: readCount("timeoutMs", options.timeoutMs ?? 30_000, 1),
    maxRetries: readCount("maxRetries", options.maxRetries ?? 2, 0),
    maxRetryAfterMs: readCount("maxRetryAfterMs", options.maxRetryAfterMs ?? 60_000, 0),
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    clock: options.clock ?? systemClock,
    randomBytes: options.randomBytes ?? randomBytes,
  };
}

export function readCount(name: string, value: number, least: number): number {
  // Node's timers take no more: a longer one would run out at once.
  if (Number.isSafeInteger(value) && value >= least && value <= 2_147_483_647) return value;
  throw new UsageError(`${name} must be a whole number from ${least} to 2147483647.`);
}

function readOrigin(baseUrl: string, allowInsecure: boolean): string {
  const url = parsed(baseUrl);
  if (url.username !== "" || url.password !== "") throw new UsageError("baseUrl must not hold a user name or password.");
  // The path is signed as the service sees it; one that a proxy takes off would make every signature wrong.
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    throw new UsageError("baseUrl is scheme and host only: /api/corp/v1 is added to it.");
  }
  if (url.protocol === "https:") return url.origin;
  if (url.protocol === "http:" && (allowInsecure || LOOPBACK.has(url.hostname))) return url.origin;
  throw new UsageError("baseUrl must begin with https://, because every call carries the token.");
}

function parsed(baseUrl: string): URL {
  try {
    return new URL(baseUrl);
  } catch {
    throw new UsageError("baseUrl is not an address.");
  }
}

// Checked here and not left to fetch, whose message about a bad header repeats the value.
function readCredential(name: string, value: unknown): string {
  if (typeof value === "string" && /^[\x21-\x7e]{1,512}$/.test(value)) return value;
  throw new UsageError(`${name} must be a text of printable characters without spaces.`);
}

function readSigningSecret(value: string): string {
  if (!readCredential("signingSecret", value).startsWith("sig_")) {
    throw new UsageError("signingSecret must begin with sig_: neither the token nor a callback secret signs requests.");
  }
  return value;
}
