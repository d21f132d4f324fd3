import type { OwnFault, ProviderExchange, Recorder } from "../../connector.ts";
import { secretMask, textMask } from "../../masking/mask-secrets.ts";
import { replyText } from "../../wire/evidence.ts";
import type { Answer } from "../../wire/exchange.ts";
import type { LoginDefinition } from "../language/operations.ts";
import type { ReadDefinition } from "../language/read.ts";
import { openAnswer } from "../read/open-answer.ts";
import { type Place, parsePath, placeIn, scalarText, valueAt } from "../read/path.ts";
import { momentOf, readText } from "../read/read-value.ts";
import { buildRequest } from "../request/build-request.ts";
import type { Scope } from "../template/render.ts";
import type { Engine } from "./engine.ts";

export type TokenResult =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly why: string; readonly fault?: OwnFault };

export type Login = {
  /** The current token, or a new one. Many callers at once share one login. */
  readonly token: (record: Recorder | undefined) => Promise<TokenResult>;
  /** Logs in now, whether or not there is a token. */
  readonly renew: (record: Recorder | undefined) => Promise<TokenResult>;
  /** The provider no longer accepts this token. A newer one stays. */
  readonly reject: (token: string) => void;
};

type Held = { readonly token: string; readonly until: number };
type Parts = Omit<Engine, "login">;

const NEVER = new AbortController().signal;
// Without any word about its life a token is used until the provider refuses it, but not for ever.
const LONGEST_MILLISECONDS = 12 * 3_600_000;

export function createLogin(definition: LoginDefinition, engine: Parts): Login {
  let held: Held | null = null;
  let running: Promise<TokenResult> | null = null;

  async function renew(record: Recorder | undefined): Promise<TokenResult> {
    const fetched = await fetchToken(definition, engine, record);
    if (!fetched.ok) return fetched;
    held = fetched;
    return { ok: true, token: fetched.token };
  }

  return {
    renew,
    token: (record) => {
      if (held !== null && engine.clock.now() < held.until) return Promise.resolve({ ok: true, token: held.token });
      running ??= renew(record).finally(() => {
        running = null;
      });
      return running;
    },
    reject: (token) => {
      if (held?.token === token) held = null;
    },
  };
}

type Fetched = (Held & { readonly ok: true }) | Exclude<TokenResult, { readonly ok: true }>;

async function fetchToken(login: LoginDefinition, engine: Parts, record: Recorder | undefined): Promise<Fetched> {
  const { definition, secrets, random, clock, hidesComputed = false } = engine;
  const now = clock.now();
  const context = {
    definition,
    secrets,
    random,
    now,
    given: () => undefined,
    saved: new Map(),
    page: new Map(),
    token: null,
    checksCircle: false,
    hidesComputed,
  };
  const built = buildRequest(login.request, context, false);
  if (!built.ok) return { ok: false, why: `the login could not be written: ${built.why}`, fault: "connector" };
  const kept: ProviderExchange[] = [];
  const exchange = await engine.transport.exchange(built.call, {
    operation: "login",
    isQuery: false,
    timeoutMilliseconds: definition.timeouts.whole_seconds * 1000,
    // The login belongs to all who wait for it, so none of them can abort it.
    signal: NEVER,
    record: record && ((one) => kept.push(one)),
    readable: [],
    hidden: built.hidden,
    shown: built.shown,
  });
  const answer = exchange.kind === "answered" ? exchange.answer : null;
  for (const one of kept) record?.(answer === null ? one : { ...one, reply: loginReply(login, engine, answer, built.scope) });
  if (exchange.kind !== "answered") {
    return { ok: false, why: `the login failed: ${exchange.why}`, ...(exchange.fault ? { fault: exchange.fault } : {}) };
  }
  const read: ReadDefinition = { ...definition.read, ...login.read };
  return tokenIn(
    login,
    engine,
    read,
    { status: exchange.answer.status, body: exchange.answer.body, endMarked: exchange.answer.endMarked },
    built.scope,
  );
}

/** The answer as evidence. How the login ended stays readable; the token is hidden whatever its field is called. */
function loginReply(login: LoginDefinition, engine: Parts, answer: Answer, scope: Scope): string {
  const { definition, secrets } = engine;
  const document = openAnswer({ ...definition.read, ...login.read }, answer, scope);
  const place = placeIn(document, answer.status);
  const paths = tokenPaths(login.token);
  const tokens = paths.flatMap((path) => readText(path, place, { definition, scope, ignoreCase: false }) ?? []);
  const [hide, mask] = [textMask(tokens), secretMask(Object.values(secrets))];
  const tokenNames = paths.flatMap((path) => parsePath(path).map(({ steps }) => steps.at(-1)?.name ?? ""));
  return replyText(answer, { secrets: (text) => hide(mask(text)), readable: [], tokenNames });
}

function tokenPaths(token: LoginDefinition["token"]): readonly string[] {
  if (typeof token === "string") return [token];
  return "path" in token || "paths" in token ? [...(token.path === undefined ? [] : [token.path]), ...(token.paths ?? [])] : [];
}

type LoginAnswer = { readonly status: number; readonly body: Buffer; readonly endMarked: boolean };

function tokenIn(login: LoginDefinition, engine: Parts, read: ReadDefinition, answer: LoginAnswer, scope: Scope): Fetched {
  const { status } = answer;
  const isRefused = status === 401 || status === 403;
  const refused = (why: string): Fetched => ({
    ok: false,
    why: `the login failed: ${why}`,
    ...(isRefused ? { fault: "credentials" } : {}),
  });
  if (status < 200 || status > 299) return refused(`HTTP ${status}`);
  const document = openAnswer(read, answer, scope);
  if (!document.ok) return refused(document.why);
  const place = placeIn(document, status);
  const context = { definition: engine.definition, scope, ignoreCase: false };
  const token = readText(login.token, place, context);
  // An answer without a token is a refusal of ours in the provider's own form.
  if (token === null) return { ok: false, why: "the login failed: the answer has no token", fault: "credentials" };
  return { ok: true, token, until: endOf(login, engine, place, scope) };
}

function endOf(login: LoginDefinition, engine: Parts, place: Place, scope: Scope): number {
  const now = engine.clock.now();
  const life = login.expires_in === undefined ? null : scalarText(valueAt(place, login.expires_in, scope));
  const end = endTime(login, engine, place, scope);
  const seconds = life !== null && /^[0-9]{1,9}(?:\.[0-9]+)?$/.test(life) ? Number(life) : login.lasts_seconds;
  const written = end ?? (seconds === undefined ? now : now + seconds * 1000);
  // A life of zero, or an end in the past, would mean a login before every call. The provider refuses a token that has expired.
  const expiresAt = written > now ? written : now + LONGEST_MILLISECONDS;
  const early = Math.min(login.renew_before_seconds * 1000, Math.max(0, expiresAt - now) / 2);
  return expiresAt - early;
}

/** Without a form, the time is in seconds since 1970. */
function endTime(login: LoginDefinition, engine: Parts, place: Place, scope: Scope): number | null {
  const reader = login.expires_at;
  if (reader === undefined) return null;
  const text = readText(reader, place, { definition: engine.definition, scope, ignoreCase: false });
  if (text === null) return null;
  const isForm = typeof reader === "object" && "time" in reader && reader.time !== undefined;
  return isForm ? Number(text) : momentOf(text, "seconds", engine.definition.times);
}
