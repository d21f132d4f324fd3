import { generateSync } from "otplib";
import { invite } from "../../../domain/auth/team/invite.ts";
import type { Role } from "../session.ts";
import type { Answer, PortalFixture } from "./fixture.ts";

export const PASSWORD = "correct horse battery";

export type Site = { readonly base: string; readonly site?: "portal" | "console" };

/** A simulated browser: keeps its cookie and sends the origin and the CSRF token. */
export type Browser = {
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  readonly post: (path: string, body?: object, headers?: Record<string, string>) => Promise<Answer>;
  readonly cookie: () => string | null;
  readonly setCookie: (value: string | null) => void;
};

export function createBrowser({ base, site = "portal" }: Site, name = `corprail_${site}`): Browser {
  let cookie: string | null = null;
  let device: string | null = null;
  let csrf: string | null = null;
  const ask = async (method: string, path: string, body: object | null, headers: Record<string, string>): Promise<Answer> => {
    const reply = await fetch(`${base}/${site}/api${path}`, {
      method,
      body: body && JSON.stringify(body),
      headers: {
        ...(body ? { "content-type": "application/json", origin: base } : {}),
        ...cookies(name, cookie, device),
        ...(csrf === null ? {} : { "x-csrf-token": csrf }),
        "user-agent": "A test's browser",
        ...headers,
      },
    });
    const set = (which: string) =>
      reply.headers
        .getSetCookie()
        .flatMap((line) => new RegExp(`^${which}=([^;]*)`).exec(line)?.[1] ?? [])
        .at(0);
    const session = set(name);
    if (session !== undefined) cookie = session === "" ? null : session;
    device = set(`${name}_device`) ?? device;
    const text = await reply.text();
    return { status: reply.status, body: text === "" ? null : JSON.parse(text), headers: reply.headers, text };
  };
  const refreshToken = async () => {
    csrf = cookie === null ? null : ((await ask("GET", "/session", null, {})).body.csrf_token ?? null);
  };
  return {
    get: (path, headers = {}) => ask("GET", path, null, headers),
    post: async (path, body = {}, headers = {}) => {
      const before = cookie;
      const answer = await ask("POST", path, body, headers);
      if (cookie !== before) await refreshToken();
      return answer;
    },
    cookie: () => cookie,
    setCookie: (value) => {
      cookie = value;
    },
  };
}

function cookies(name: string, session: string | null, device: string | null): { readonly cookie?: string } {
  const sent = [...(session === null ? [] : [`${name}=${session}`]), ...(device === null ? [] : [`${name}_device=${device}`])];
  return sent.length === 0 ? {} : { cookie: sent.join("; ") };
}

export type Person = { readonly browser: Browser; readonly email: string; readonly userId: string };

let made = 0;

/** Creates a signed-in user by an accepted invitation. */
export async function newPerson(fixture: PortalFixture, accountId: string, role: Role = "owner"): Promise<Person> {
  const email = `${role}${++made}@shop.example`;
  const invited = await invite(fixture.ctx.auth, "test", { accountId, email, role });
  if (invited.kind !== "done") throw new Error("The invitation could not be made.");
  const browser = createBrowser(fixture);
  const accepted = await browser.post("/invitations/accept", { token: invited.token, name: "Asha Rao", password: PASSWORD });
  if (accepted.status !== 200) throw new Error(accepted.text);
  return { browser, email, userId: (await browser.get("/session")).body.user.user_id };
}

const STEP_MILLISECONDS = 30_000;
type Clocked = { readonly settings: PortalFixture["settings"] };

/** A code of an authenticator app at the time of the fixture's clock, or so many steps from it. */
export function codeOf(fixture: Clocked, secret: string, steps = 0): string {
  // Early in a step, so that a slow machine does not carry the request into the next.
  const { clock } = fixture.settings;
  const into = clock.now() % STEP_MILLISECONDS;
  if (into > 3_000) clock.advance(STEP_MILLISECONDS - into);
  return generateSync({ secret, epoch: Math.floor(clock.now() / 1000) + steps * 30 });
}

/** Switches the authenticator app on; the code used for it is of the step before, so that the current one is still good. */
export async function enableTotp(
  fixture: Clocked,
  { browser }: Pick<Person, "browser">,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = (await browser.post("/security/totp/start")).body;
  const confirmed = await browser.post("/security/totp/confirm", { code: codeOf(fixture, secret, -1) });
  if (confirmed.status !== 200) throw new Error(confirmed.text);
  return { secret, recoveryCodes: confirmed.body.recovery_codes };
}
