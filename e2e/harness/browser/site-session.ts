import type { Page } from "playwright-core";
import type { Service } from "../service.ts";
import type { Person } from "./portal.ts";
import { totpCode } from "./totp.ts";

type Site = "portal" | "console";
type Fields = Readonly<Record<string, unknown>>;

// WebAuthn needs a host name, and allows http only for localhost.
const originOf = (service: Service) => `http://localhost:${service.port}`;

type Sent = { readonly method: "GET" | "POST"; readonly path: string; readonly data?: object; readonly csrfToken?: string };

/** Calls a site's API as its page would; the cookies that it sets are those of the page. */
async function send(page: Page, service: Service, site: Site, { method, path, data, csrfToken }: Sent): Promise<Fields> {
  const origin = originOf(service);
  const headers = { origin, ...(csrfToken === undefined ? {} : { "x-csrf-token": csrfToken }) };
  const reply = await page.context().request.fetch(`${origin}/${site}/api${path}`, {
    method,
    headers,
    ...(data === undefined ? {} : { data }),
  });
  if (!reply.ok()) throw new Error(`${method} ${path}: ${reply.status()} ${await reply.text()}`);
  return (await reply.json()) as Fields;
}

/** Reads from a site's API in the page's session. */
export async function readInSession(page: Page, service: Service, site: Site, path: string): Promise<Fields> {
  return await send(page, service, site, { method: "GET", path });
}

/** Sends a change in the page's session. */
export async function changeInSession(page: Page, service: Service, site: Site, path: string, data: object): Promise<Fields> {
  const { csrf_token: csrfToken } = await send(page, service, site, { method: "GET", path: "/session" });
  return await send(page, service, site, { method: "POST", path, data, csrfToken: String(csrfToken) });
}

/** Accepts an invitation without its page, which signs the person in at this page's browser. */
export async function acceptWithoutPage(page: Page, service: Service, site: Site, link: string, person: Person): Promise<void> {
  const data = { token: new URL(link).hash.slice(1), name: person.name, password: person.password };
  await send(page, service, site, { method: "POST", path: "/invitations/accept", data });
}

export type AuthenticatorApp = {
  /** TOTP secret. The code of the enrolment's time step is used up; `totpCode(secret, 1)` works immediately. */
  readonly secret: string;
  /** Recovery codes; each signs in once. */
  readonly codes: readonly string[];
};

/** Sets up an authenticator app without its page. */
export async function enrolWithoutPage(page: Page, service: Service, site: Site): Promise<AuthenticatorApp> {
  const { secret } = await changeInSession(page, service, site, "/security/totp/start", {});
  const { recovery_codes: codes } = await changeInSession(page, service, site, "/security/totp/confirm", {
    code: totpCode(String(secret)),
  });
  return { secret: String(secret), codes: codes as readonly string[] };
}
