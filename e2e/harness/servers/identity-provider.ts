import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import type { Page } from "playwright-core";

export type IdentityProvider = {
  readonly issuer: string;
  readonly clientSecret: string;
  /** Adds a site as a client of the provider. */
  readonly register: (client: { readonly id: string; readonly redirectUri: string; readonly logoutUri: string }) => void;
  /** The groups of a login from now on. */
  readonly setGroups: (login: string, groups: readonly string[]) => void;
  readonly close: () => Promise<void>;
};

type Client = { readonly id: string; readonly redirectUri: string; readonly logoutUri: string };

/** A certified OpenID Connect server over a real socket. Every login exists, with a verified address of the domain. */
export async function startIdentityProvider(domain: string): Promise<IdentityProvider> {
  const clientSecret = randomBytes(24).toString("base64url");
  const clients = new Map<string, Client>();
  const groups = new Map<string, readonly string[]>();
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const keys = [{ ...privateKey.export({ format: "jwk" }), alg: "RS256", use: "sig" }];
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const metadataOf = ({ id, redirectUri, logoutUri }: Client) => ({
    client_id: id,
    client_secret: clientSecret,
    redirect_uris: [redirectUri],
    backchannel_logout_uri: logoutUri,
    backchannel_logout_session_required: true,
  });
  /** A provider's clients are fixed when it is made, so a new client makes a new provider with the same keys. */
  let requests: ReturnType<Provider["callback"]> = (_request, reply) => void reply.writeHead(503).end();
  const cookieKey = randomBytes(16).toString("hex");
  const make = () =>
    new Provider(issuer, {
      clients: [...clients.values()].map(metadataOf),
      jwks: { keys },
      cookies: { keys: [cookieKey] },
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
      // Its own fetch refuses addresses of this machine, where the sites of tests are.
      fetch: (url: string, { method, headers, body }: RequestInit) =>
        fetch(url, { method: method ?? "GET", headers: headers ?? {}, body: body ?? null }),
      ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 3600 },
      features: { backchannelLogout: { enabled: true } },
      findAccount: (_ctx: unknown, login: string) => ({
        accountId: login,
        claims: () => ({
          sub: login,
          email: `${login}@${domain}`,
          email_verified: true,
          name: `Person ${login}`,
          groups: groups.get(login) ?? [],
        }),
      }),
    });
  server.on("request", (request, reply) => requests(request, reply));
  return {
    issuer,
    clientSecret,
    register: (client) => {
      clients.set(client.id, client);
      requests = make().callback();
    },
    setGroups: (login, names) => void groups.set(login, names),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Signs in at the provider's own pages, and consents where it asks. */
export async function signInAtProvider(page: Page, { issuer }: Pick<IdentityProvider, "issuer">, login: string): Promise<void> {
  await page.waitForURL((url) => url.href.startsWith(`${issuer}/interaction`));
  await page.locator("input[name=login]").fill(login);
  await page.locator("input[name=password]").fill("any");
  await page.locator("button[type=submit]").click();
  await page.getByRole("button", { name: "Continue" }).click();
}

/** Ends the provider's session in this browser, which tells every client that it has signed in at. */
export async function signOutAtProvider(page: Page, { issuer }: Pick<IdentityProvider, "issuer">): Promise<void> {
  await page.goto(`${issuer}/session/end`);
  await page.getByRole("button", { name: "Yes, sign me out" }).click();
  await page.waitForURL((url) => url.href.includes("/session/end/success"));
}
