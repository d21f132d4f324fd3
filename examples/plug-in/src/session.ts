import type { Clock, PluginLog, StateStore, Wire, WireAnswer, WireRequest } from "@corprail/connector";
import { z } from "zod";

type SessionParts = {
  readonly wire: Wire;
  readonly clock: Clock;
  readonly store: StateStore;
  readonly log: PluginLog;
  readonly url: string;
  readonly clientSecret: string;
};

const token = z.object({ token: z.string().min(1), expires_at: z.number() });
type Token = z.infer<typeof token>;
type Login = { readonly ok: true; readonly token: Token } | { readonly ok: false; readonly why: string };

const NAME = "token";
const RENEW_BEFORE_MS = 30_000;

/** Adds the login token to requests. It is fetched once for all that wait, shared by all processes, and renewed once after a 401. */
export function openSession({ wire, clock, store, log, url, clientSecret }: SessionParts) {
  let current: Token | null = null;
  let loggingIn: Promise<Login> | null = null;

  const isUsable = (found: Token) => found.expires_at - RENEW_BEFORE_MS > clock.now();

  async function stored(): Promise<Token | null> {
    const text = await store.get(NAME);
    const read = text === null ? null : token.safeParse(JSON.parse(text));
    return read?.success ? read.data : null;
  }

  async function login(): Promise<Login> {
    const answer = await wire.fetch({
      operation: "login",
      method: "POST",
      url,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ client_secret: clientSecret }),
    });
    if (answer.kind !== "answered") return { ok: false, why: answer.why };
    const read = token.safeParse(answer.status === 200 ? JSON.parse(answer.text) : null);
    if (!read.success) return { ok: false, why: `the login was answered with HTTP ${answer.status}` };
    await store.set(NAME, JSON.stringify(read.data));
    log.info("logged in", { until: new Date(read.data.expires_at).toISOString() });
    return { ok: true, token: read.data };
  }

  /** `refused` is a token that the provider does not accept any more. */
  async function renew(refused: string | null): Promise<Login> {
    const other = await stored();
    if (other && other.token !== refused && isUsable(other)) return { ok: true, token: other };
    return await login();
  }

  async function tokenFor(refused: string | null): Promise<Login> {
    if (current && current.token !== refused && isUsable(current)) return { ok: true, token: current };
    loggingIn ??= renew(refused).finally(() => {
      loggingIn = null;
    });
    const found = await loggingIn;
    if (found.ok) current = found.token;
    return found;
  }

  async function attempt(request: WireRequest, found: Token): Promise<WireAnswer> {
    return await wire.fetch({
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${found.token}` },
      hide: [found.token],
    });
  }

  return {
    /** Without a token nothing is sent. A 401 is proof that nothing was carried out, so the request may be repeated once. */
    fetch: async (request: WireRequest): Promise<WireAnswer> => {
      const first = await tokenFor(null);
      if (!first.ok) return { kind: "not_sent", why: `no login: ${first.why}` };
      const answer = await attempt(request, first.token);
      if (answer.kind !== "answered" || answer.status !== 401) return answer;
      const second = await tokenFor(first.token.token);
      return second.ok ? await attempt(request, second.token) : { kind: "not_sent", why: `no login: ${second.why}` };
    },
  };
}
