import type { Page } from "playwright-core";
import type { Person } from "./portal.ts";
import type { Service } from "./service.ts";
import { totpCode } from "./totp.ts";

type Site = "portal" | "console";
type Fields = Readonly<Record<string, unknown>>;

/** Calls a site's API as its page would; the cookies that it sets are those of the page. */
async function call(page: Page, service: Service, site: Site, path: string, data?: object): Promise<Fields> {
  // WebAuthn needs a host name, and allows http only for localhost.
  const origin = `http://localhost:${service.port}`;
  const { request } = page.context();
  const send = async (method: string, address: string, body?: object, token?: string) => {
    const headers = { origin, ...(token === undefined ? {} : { "x-csrf-token": token }) };
    const reply = await request.fetch(`${origin}/${site}/api${address}`, {
      method,
      headers,
      ...(body === undefined ? {} : { data: body }),
    });
    if (!reply.ok()) throw new Error(`${method} ${address}: ${reply.status()} ${await reply.text()}`);
    return (await reply.json()) as Fields;
  };
  if (path === "/invitations/accept") return await send("POST", path, data);
  const { csrf_token: token } = await send("GET", "/session");
  return await send("POST", path, data, String(token));
}

/** Accepts an invitation without its page, which signs the person in at this page's browser. */
export async function acceptWithoutPage(page: Page, service: Service, site: Site, link: string, person: Person): Promise<void> {
  const token = new URL(link).hash.slice(1);
  await call(page, service, site, "/invitations/accept", { token, name: person.name, password: person.password });
}

export type AuthenticatorApp = {
  /** TOTP secret. The code of the enrolment's time step is used up; `totpCode(secret, 1)` works immediately. */
  readonly secret: string;
  /** Recovery codes; each signs in once. */
  readonly codes: readonly string[];
};

/** Sets up an authenticator app without its page. */
export async function enrolWithoutPage(page: Page, service: Service, site: Site): Promise<AuthenticatorApp> {
  const { secret } = await call(page, service, site, "/security/totp/start", {});
  const { recovery_codes: codes } = await call(page, service, site, "/security/totp/confirm", { code: totpCode(String(secret)) });
  return { secret: String(secret), codes: codes as readonly string[] };
}
