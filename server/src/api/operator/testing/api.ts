import type { AddressInfo } from "node:net";
import { type FastifyInstance, fastify } from "fastify";
import { type TestSettings, testSettings } from "../../../domain/accounts/testing/settings.ts";
import { actionExecutors } from "../../../domain/approvals/executors/action-executors.ts";
import { audited, followChanges } from "../../../domain/audit/feed.ts";
import { createOidc } from "../../../domain/auth/single-sign-on/oidc.ts";
import { callbackUrlChecker } from "../../../domain/callbacks/callback-url.ts";
import { type Catalogue, catalogueChanges, loadCatalogue } from "../../../domain/catalog/catalogue.ts";
import { contextOf } from "../../../domain/orders/testing/fixture.ts";
import { loadPricing, pricingChanges } from "../../../domain/pricing/pricing.ts";
import { loadProviders, type ProviderRegistry, providerChanges } from "../../../domain/providers/registry.ts";
import { testEgress } from "../../../domain/providers/testing/egress.ts";
import { createOverview } from "../../../domain/reporting/overview.ts";
import { simulatedServices } from "../../../domain/services/testing/simulated-services.ts";
import { parseRange } from "../../../platform/network/address.ts";
import { createLog } from "../../../platform/observability/log.ts";
import { SESSION_LIMITS } from "../../sites/actions/session-limits.ts";
import { createViewers } from "../../sites/viewers.ts";
import { staffExecutors } from "../approvals/executors.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { OPERATOR_SERVER_OPTIONS, operatorApi } from "../plugin.ts";

export const ENVIRONMENT_KEY = `opk_${"k".repeat(43)}`;

// biome-ignore lint/suspicious/noExplicitAny: a test reads replies of every shape
export type Answer = { readonly status: number; readonly body: any; readonly headers: Headers; readonly text: string };

export type Call = { readonly key?: string | null; readonly headers?: Record<string, string>; readonly raw?: string | Uint8Array };

export type TestApi = {
  readonly settings: TestSettings;
  readonly origin: string;
  readonly catalogue: Catalogue;
  readonly providerRegistry: ProviderRegistry;
  readonly logged: object[];
  readonly get: (path: string, call?: Call) => Promise<Answer>;
  /** What is no JSON. */
  readonly file: (path: string) => Promise<Omit<Answer, "body">>;
  readonly post: (path: string, body?: unknown, call?: Call) => Promise<Answer>;
  readonly send: (method: string, path: string, body: unknown, call?: Call) => Promise<Answer>;
  readonly newAccount: (fields?: object) => Promise<{ readonly account_id: string; readonly api_token: string }>;
  readonly close: () => Promise<void>;
};

/** What else the same server has. */
export type Also = (app: FastifyInstance, deps: OperatorApiDependencies, settings: TestSettings) => Promise<void>;

/** The operator API on a real socket, with a database of its own. */
export async function testApi(change: Partial<OperatorApiDependencies> = {}, also?: Also): Promise<TestApi> {
  const settings = await testSettings();
  const { sql } = settings.database;
  const from = await audited(sql);
  const catalogue = await loadCatalogue(sql);
  const pricing = await loadPricing(sql);
  const { vault, clock } = settings.ctx;
  const egress = change.egress ?? testEgress();
  const providerRegistry = await loadProviders({ sql, vault, clock, log: createLog("silent"), reportTo: () => {}, egress });
  const changeListeners = [catalogueChanges(catalogue), pricingChanges(pricing), providerChanges(providerRegistry)];
  const feed = followChanges({
    sql,
    from,
    apply: async (changes) => {
      for (const take of changeListeners) await take(changes);
    },
    onError: () => {},
  });
  const logged: object[] = [];
  const app = fastify({ ...OPERATOR_SERVER_OPTIONS, forceCloseConnections: true, genReqId: () => settings.ctx.ids.request() });
  const orders = change.orders ?? contextOf(sql, sql, settings.clock, { pricing });
  const providerServices = change.providerServices ?? simulatedServices(settings.clock);
  const dependencies: OperatorApiDependencies = {
    ...settings.ctx,
    refresh: async () => {
      await settings.feed.refresh();
      await feed.refresh();
    },
    catalogue,
    overview: createOverview({
      ...settings.ctx,
      log: createLog("silent"),
      processId: "P1",
      version: "0.0.0",
      settings: [],
      mode: () => ({ mode: "trial", conflict: null }),
      databaseTrouble: () => null,
    }),
    viewers: createViewers({ each: 10, all: 20 }),
    downloads: createViewers(SESSION_LIMITS.downloads),
    pricing,
    orders,
    providerServices,
    providerLists: { refreshDue: async () => {} },
    approvals: {
      ...settings.ctx,
      log: createLog("silent"),
      // Read on use, because some tests replace the orders context later.
      get executors() {
        return { ...actionExecutors({ ...orders, providerServices }), ...staffExecutors(dependencies) };
      },
    },
    providerRegistry,
    providerSecrets: {},
    egress,
    auth: { ...settings.ctx, realm: "portal" },
    staff: { ...settings.ctx, realm: "console" },
    oidc: createOidc({ fetch, clock: settings.clock, allowsHttp: () => true }),
    consoleUrl: null,
    ports: () => null,
    publicUrl: null,
    environmentKey: ENVIRONMENT_KEY,
    trustedProxies: [],
    checkCallbackUrl: callbackUrlChecker({ allow: [parseRange("127.0.0.0/8")].filter((range) => range !== null) }),
    checkReplies: true,
    log: { error: (details) => logged.push(details) },
    ...change,
  };
  await app.register(operatorApi(dependencies), { prefix: "/api/operator/v1" });
  await also?.(app, dependencies, settings);
  await app.listen({ host: "127.0.0.1", port: 0 });
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const base = `${origin}/api/operator/v1`;
  const send: TestApi["send"] = (method, path, body, call) => request(base, method, path, body, call);
  return {
    settings,
    origin,
    catalogue,
    providerRegistry,
    logged,
    send,
    get: (path, call) => send("GET", path, undefined, call),
    file: async (path) => {
      const reply = await fetch(base + path, { headers: { authorization: `Bearer ${ENVIRONMENT_KEY}` } });
      return { status: reply.status, text: await reply.text(), headers: reply.headers };
    },
    post: (path, body, call) => send("POST", path, body, call),
    newAccount: async (fields = {}) => (await send("POST", "/accounts", { name: "Asha Stores", ...fields })).body,
    close: async () => {
      for (const reading of Object.values(dependencies.overview.readings)) reading.close();
      await app.close();
      feed.close();
      await providerRegistry.close();
      await settings.close();
    },
  };
}

async function request(base: string, method: string, path: string, body: unknown, call: Call = {}): Promise<Answer> {
  const key = call.key === undefined ? ENVIRONMENT_KEY : call.key;
  const content = call.raw ?? (body === undefined ? null : JSON.stringify(body));
  const reply = await fetch(base + path, {
    method,
    body: content,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(content === null ? {} : { "content-type": "application/json" }),
      ...call.headers,
    },
  });
  const text = await reply.text();
  const isJson = reply.headers.get("content-type")?.startsWith("application/json") ?? false;
  return { status: reply.status, body: isJson ? JSON.parse(text) : null, headers: reply.headers, text };
}
