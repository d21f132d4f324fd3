import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";
import { createAccount } from "../../../domain/accounts/create-account.ts";
import { type TestSettings, testSettings } from "../../../domain/accounts/testing/settings.ts";
import { audited, followChanges } from "../../../domain/audit/feed.ts";
import type { AuthContext } from "../../../domain/auth/context.ts";
import { createOidc } from "../../../domain/auth/single-sign-on/oidc.ts";
import { callbackUrlChecker } from "../../../domain/callbacks/callback-url.ts";
import { catalogueChanges, loadCatalogue } from "../../../domain/catalog/catalogue.ts";
import { contextOf } from "../../../domain/orders/testing/fixture.ts";
import { createLimits } from "../../../domain/services/registry.ts";
import { readVisibility } from "../../../domain/status/store.ts";
import type { Mail } from "../../../platform/mail/mailer.ts";
import { parseRange } from "../../../platform/network/address.ts";
import type { PortalAction } from "../action.ts";
import type { PortalContext } from "../context.ts";
import { portalApi, portalDependencies } from "../plugin.ts";
import { portalSessions, type Role, type Session } from "../session.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads replies of every shape
export type Answer = { readonly status: number; readonly body: any; readonly headers: Headers; readonly text: string };

/** Requests of a user with a session. */
export type Visitor = {
  readonly session: Session;
  /** The headers that the browser sends with every request. */
  readonly headers: { readonly cookie: string; readonly origin: string; readonly "x-csrf-token": string };
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  readonly post: (path: string, body?: object, headers?: Record<string, string>) => Promise<Answer>;
};

export type PortalFixture = {
  readonly settings: TestSettings;
  readonly ctx: PortalContext;
  readonly base: string;
  readonly logged: object[];
  /** Every mail that was handed to the mailer. */
  readonly mails: Mail[];
  readonly newAccount: (fields?: {
    readonly name?: string;
    readonly sandbox?: boolean;
  }) => Promise<{ accountId: string; apiToken: string }>;
  /** Creates a session without a sign-in. Its proof is fresh by default. */
  readonly as: (role: Role, accountId: string, more?: Partial<Session>) => Visitor;
  readonly close: () => Promise<void>;
};

export type PortalFixtureOptions = {
  readonly actions?: readonly PortalAction[];
  readonly change?: Partial<PortalContext>;
};

/** The portal's API on a real socket and database, with sessions created by the test. */
export async function createPortalFixture(options: PortalFixtureOptions = {}): Promise<PortalFixture> {
  const settings = await testSettings();
  const { sql } = settings.database;
  const from = await audited(sql);
  const catalogue = await loadCatalogue(sql);
  const feed = followChanges({ sql, from, apply: catalogueChanges(catalogue), onError: () => {} });
  const logged: object[] = [];
  const mails: Mail[] = [];
  const sessions = new Map<string, Session>();
  const auth: AuthContext = { ...settings.ctx, realm: "portal" };
  const signedIn = portalSessions(auth);
  // The handlers get this object, so that a test can replace a part of it.
  const ctx = portalDependencies({
    ...settings.ctx,
    refresh: async () => {
      await settings.feed.refresh();
      await feed.refresh();
    },
    catalogue,
    orders: contextOf(sql, sql, settings.clock),
    accountById: settings.directory.byId,
    health: () => ({ status: "up", successRate1h: null }),
    readStatus: async () => ({ at: settings.clock.now(), visibility: await readVisibility(sql), components: [], events: [], days: [] }),
    limits: createLimits(sql),
    callbacks: {
      makeDue: async () => {},
      sendTest: () => Promise.reject(new Error("No callbacks are sent here.")),
      sendVersion3Test: () => Promise.reject(new Error("No callbacks are sent here.")),
    },
    checkCallbackUrl: callbackUrlChecker({ allow: [parseRange("127.0.0.0/8")].filter((range) => range !== null) }),
    mail: { isSetUp: true, send: async (mail) => mails.push(mail) > 0 },
    mode: () => "trial",
    publicUrl: null,
    trustedProxies: [],
    auth,
    oidc: createOidc({ fetch, clock: settings.clock, allowsHttp: () => true }),
    findSession: async (token, look) => sessions.get(token) ?? (await signedIn(token, look)),
    checkReplies: true,
    log: { error: (details) => logged.push(details) },
    ...options.change,
  });
  const app = fastify({ exposeHeadRoutes: false, forceCloseConnections: true, genReqId: () => ctx.ids.request() });
  await app.register(portalApi(ctx, options.actions), { prefix: "/portal/api" });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return {
    settings,
    ctx,
    base,
    logged,
    mails,
    newAccount: async ({ name = "Asha Stores", sandbox = false } = {}) => {
      const made = await createAccount(ctx, "test", { name, sandbox });
      if (made.kind !== "done") throw new Error("The account could not be made.");
      return { accountId: made.accountId, apiToken: made.apiToken };
    },
    as: (role, accountId, more = {}) => {
      const token = randomBytes(32).toString("base64url");
      const session = newSession(role, accountId, { provedAt: ctx.clock.now(), ...more });
      sessions.set(token, session);
      return visitor(base, token, session);
    },
    close: async () => {
      await app.close();
      feed.close();
      await settings.close();
    },
  };
}

function newSession(role: Role, accountId: string, more: Partial<Session> & { readonly provedAt: number }): Session {
  const id = randomBytes(6).toString("hex").toUpperCase();
  return {
    sessionId: `S${id}`,
    userId: `U${id}`,
    accountId,
    email: `${role}@shop.example`,
    name: "Asha Rao",
    role,
    language: null,
    csrfToken: randomBytes(16).toString("base64url"),
    stage: "full",
    viewing: false,
    identityProviderId: null,
    ...more,
  };
}

function visitor(base: string, token: string, session: Session): Visitor {
  const own = { cookie: `corprail_portal=${token}`, origin: base, "x-csrf-token": session.csrfToken };
  const ask = async (method: string, path: string, body: object | undefined, headers: Record<string, string> = {}): Promise<Answer> => {
    const content = body === undefined ? null : JSON.stringify(body);
    const reply = await fetch(`${base}/portal/api${path}`, {
      method,
      body: content,
      headers: { ...own, ...(content === null ? {} : { "content-type": "application/json" }), ...headers },
    });
    const text = await reply.text();
    const isJson = reply.headers.get("content-type")?.startsWith("application/json") ?? false;
    return { status: reply.status, body: isJson ? JSON.parse(text) : null, headers: reply.headers, text };
  };
  return {
    session,
    headers: own,
    get: (path, headers) => ask("GET", path, undefined, headers),
    post: (path, body, headers) => ask("POST", path, body ?? {}, headers),
  };
}
