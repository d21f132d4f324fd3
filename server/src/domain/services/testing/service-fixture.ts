import { createSecretKey } from "node:crypto";
import { expectMatchesOpenApi } from "../../../../../e2e/harness/openapi-check.ts";
import { signatureHeaders } from "../../../../../e2e/harness/sign.ts";
import { createAdmissionBatcher } from "../../../api/client/gate/admission.ts";
import { createCongestion } from "../../../api/client/gate/congestion.ts";
import { accountWith, tokenOf } from "../../../api/client/gate/testing/account.ts";
import { PREFIX, routeTable } from "../../../api/client/route-table.ts";
import { clientRoutes, type RoutesContext } from "../../../api/client/routes.ts";
import { clientApi } from "../../../api/http/client-api.ts";
import { listen } from "../../../api/http/server.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Vault } from "../../../platform/crypto/vault.ts";
import type { Transaction } from "../../../platform/db/connection.ts";
import { grantPrivileges } from "../../../platform/db/schema/privileges.ts";
import { createMetrics } from "../../../platform/observability/metrics.ts";
import type { Account } from "../../accounts/account.ts";
import { allowlist, parseAllowlist } from "../../accounts/allowlist.ts";
import { memoryVault } from "../../accounts/testing/memory-vault.ts";
import { type Catalogue, loadCatalogue } from "../../catalog/catalogue.ts";
import type { CatalogueContext } from "../../catalog/context.ts";
import type { Route } from "../../client-api/route.ts";
import type { OrdersContext } from "../../orders/context.ts";
import { createOrderSummaryFinder } from "../../orders/queries/find-orders.ts";
import { applyFinding, applyReport } from "../../orders/recovery/apply-finding.ts";
import { findById } from "../../orders/store.ts";
import { createOrdersFixture, ids, type OrdersFixture } from "../../orders/testing/fixture.ts";
import { type Pricing, pricingOf } from "../../pricing/pricing.ts";
import type { Rule } from "../../pricing/rule.ts";
import type { Connector, Report } from "../../providers/connector.ts";
import type { ProvidersContext } from "../../providers/context.ts";
import type { OperatorHealth } from "../../providers/health/health.ts";
import { createProviderLists, type ProviderLists } from "../../providers/lists/provider-lists.ts";
import { loadProviders, type ProviderRegistry as Registry } from "../../providers/registry.ts";
import { createSimulator } from "../../providers/simulator/simulator.ts";
import { testEgress } from "../../providers/testing/egress.ts";
import { createTripStore } from "../bus/trips/trip-store.ts";
import { createLimits, createProviderServices } from "../registry.ts";

export type Json = Readonly<Record<string, unknown>>;
export type Answer = { readonly status: number; readonly body: Json };
export type Items = readonly Json[];

export type Client = {
  readonly accountId: string;
  /** For a connector that calls this installation as its provider. */
  readonly credentials: { readonly origin: string; readonly token: string; readonly signingSecret: string };
  /** Changes the account, as staff would. */
  readonly set: (more: Partial<Account>) => void;
  readonly get: (path: string, query?: Readonly<Record<string, string>>) => Promise<Answer>;
  readonly post: (path: string, body: Json) => Promise<Answer>;
  /** The same with signed requests. */
  readonly signed: Pick<Client, "get" | "post">;
  /** Recharges ten rupees on a number that succeeds by default. */
  readonly recharge: (urid: string, more?: Json) => Promise<Answer>;
};

export type ServiceFixture = {
  readonly orders: OrdersFixture;
  readonly ctx: OrdersContext;
  readonly catalogue: Catalogue;
  readonly switches: CatalogueContext;
  readonly health: Map<string, OperatorHealth>;
  readonly lists: ProviderLists;
  /** Sets the fees and commissions of orders from now on. */
  readonly agreeOn: (...rules: readonly Rule[]) => void;
  readonly newClient: (rupees?: number, more?: Partial<Account>) => Promise<Client>;
  /** Changes providers and routes, as staff would; only with `network`. */
  readonly providerRegistry: ProvidersContext;
  readonly close: () => Promise<void>;
};

export type ServiceFixtureOptions = {
  readonly delayMilliseconds?: number;
  readonly timeoutMilliseconds?: number;
  readonly replyWaitMilliseconds?: number;
  /** Loads providers, routes and mode from the database, instead of the simulator for all accounts. */
  readonly network?: boolean;
  /** A provider that replaces the simulator. */
  readonly provider?: Connector;
  /** Providers instead of the simulator, best first. Their lists are stored. */
  readonly providers?: Readonly<Record<string, Connector>>;
  /** Modifies the providers' queries. */
  readonly providerServices?: (providerServices: RoutesContext["providerServices"]) => RoutesContext["providerServices"];
  /** A service that is not in the registry. */
  readonly added?: AddedService;
};

export type AddedService = { readonly migration: string; readonly routes: (ctx: RoutesContext) => readonly Route[] };

/** The whole client API over a real socket, database and simulator, with accounts in memory. */
export async function createServiceFixture(options: ServiceFixtureOptions = {}): Promise<ServiceFixture> {
  const orders = await createOrdersFixture();
  const { clock } = orders;
  const { sql } = orders.database;
  const report = async (one: Report) => {
    const order = await findById(sql, one.reference);
    if (order && one.finding.kind !== "ask") await applyFinding(process.ctx, order, one.finding);
  };
  const simulator = createSimulator({
    delayMilliseconds: options.delayMilliseconds ?? 20,
    timeoutMilliseconds: options.timeoutMilliseconds ?? 50,
    clock,
    reportTo: (one) => void report(one).catch(() => {}),
  });
  const pricing = changingPricing();
  const process = orders.startProcess({
    providers: options.providers ?? { simulator: options.provider ?? simulator },
    replyWaitMilliseconds: options.replyWaitMilliseconds ?? 5_000,
    pricing,
  });
  const accounts = new Map<string, Account>();
  const accountById = (accountId: string) => [...accounts.values()].find((one) => one.accountId === accountId) ?? null;
  const vault = memoryVault();
  const registry = options.network ? await createRegistry(process.ctx, vault, options) : null;
  const isSandbox = (accountId: string) => accountById(accountId)?.sandbox ?? false;
  const ordersContext: OrdersContext = registry ? Object.assign(process.ctx, { providerRegistry: registry, isSandbox }) : process.ctx;
  const { added } = options;
  if (added) await orders.owner.begin((tx) => migrateIn(tx, added.migration));
  // The network option adds providers as staff would; these have a connector of the test instead of settings.
  for (const provider of Object.keys(options.providers ?? {}))
    await sql`insert into providers (provider, connector, settings, created_at) values (${provider}, 'corprail', '{}', now())`;
  const catalogue = await loadCatalogue(sql);
  const health = new Map<string, OperatorHealth>();
  const lists = createProviderLists({
    ...{ sql, clock, log: ordersContext.log, stopping: ordersContext.stopping, ageMilliseconds: 6 * 3_600_000 },
    connector: (provider) => ordersContext.providerRegistry.connector(provider),
    inUse: (stored) => stored,
  });
  const context = {
    ...ordersContext,
    catalogue,
    vault,
    providerServices: (options.providerServices ?? ((providerServices) => providerServices))(
      createProviderServices({
        clock,
        simulatorDelayMilliseconds: options.delayMilliseconds ?? 20,
        connectors: (provider) => ordersContext.providerRegistry.connector(provider),
        lists: (queries, name, input) => lists.read(queries.provider, name, input),
        trips: createTripStore(sql),
        orders: ordersContext,
      }),
    ),
    lookUp: createOrderSummaryFinder(sql),
    limits: createLimits(sql),
    health: registry?.health ?? ((operator: string) => health.get(operator) ?? { status: "up", successRate1h: null }),
  } as RoutesContext;
  const gate = {
    clock,
    admission: createAdmissionBatcher(sql, clock),
    findToken: (token: string) => tokenOf(accounts.get(token)),
    accountById,
    ensureFresh: () => undefined,
    congestion: createCongestion(),
    trustedProxies: [],
  };
  const api = clientApi({
    table: routeTable([...clientRoutes(context), ...(added?.routes(context) ?? [])]),
    gate,
    ids,
    log: process.ctx.log,
    metrics: createMetrics(),
  });
  const server = await listen({ host: "127.0.0.1", port: 0, clientApi: api, others: api, ids });
  const base = `http://127.0.0.1:${server.port}${PREFIX}`;
  return {
    orders,
    ctx: process.ctx,
    catalogue,
    switches: { sql, clock, refresh: catalogue.reload },
    health,
    lists,
    agreeOn: pricing.agreeOn,
    providerRegistry: { sql, vault, clock, refresh: registry?.reload ?? (async () => {}) },
    newClient: async (rupees = 1_000, more = {}) => {
      const token = ids.secret("tok_live_");
      const accountId = await orders.newAccount(process, rupees);
      const secret = ids.secret("sig_");
      const signingSecrets = [{ credentialId: "C1", key: createSecretKey(Buffer.from(secret)), expiresAt: null }];
      const caps = { moneyPerMinute: 100_000, getPerMinute: 100_000 };
      accounts.set(token, accountWith({ accountId, allowlist: loopback(), ...caps, signingSecrets, ...more }));
      const set = (change: Partial<Account>) => accounts.set(token, { ...(accounts.get(token) as Account), ...change });
      return clientOf({ base, token, secret, accountId, clock, described: added === undefined, set });
    },
    close: async () => {
      await server.close(100);
      await simulator.close();
      await registry?.close();
      await orders.close();
    },
  };
}

function createRegistry(ctx: OrdersContext, vault: Vault, options: ServiceFixtureOptions): Promise<Registry> {
  return loadProviders({
    egress: testEgress(),
    ...{ sql: ctx.sql, vault, clock: ctx.clock, log: ctx.log },
    simulator: { delayMilliseconds: options.delayMilliseconds ?? 20, timeoutMilliseconds: options.timeoutMilliseconds ?? 50 },
    reportTo: (report, provider) => void applyReport(ctx, report, provider).catch(() => {}),
  });
}

function changingPricing(): Pick<Pricing, "agree" | "feeRate"> & Pick<ServiceFixture, "agreeOn"> {
  let current = pricingOf([]);
  return {
    agree: (...question) => current.agree(...question),
    feeRate: (...question) => current.feeRate(...question),
    agreeOn: (...rules) => {
      current = pricingOf(rules);
    },
  };
}

async function migrateIn(tx: Transaction, migration: string): Promise<void> {
  await tx.unsafe(migration);
  await grantPrivileges(tx, "corprail_app");
}

function loopback(): Account["allowlist"] {
  const parsed = parseAllowlist(["127.0.0.1"]);
  return parsed.ok ? parsed.list : allowlist([]);
}

type ClientOptions = Pick<Client, "accountId"> & {
  readonly base: string;
  readonly token: string;
  readonly secret: string;
  readonly clock: Clock;
  /** Whether contract/openapi.json describes every response. */
  readonly described: boolean;
  readonly set: (more: Partial<Account>) => void;
};

function clientOf({ base, token, secret, accountId, clock, described, set }: ClientOptions): Client {
  const call = async (url: URL, init: RequestInit): Promise<Answer> => {
    const reply = await fetch(url, { ...init, headers: { "x-api-token": token, ...init.headers } });
    const text = await reply.text();
    if (described) expectMatchesOpenApi(init.method ?? "GET", url.pathname, reply.status, text);
    return { status: reply.status, body: JSON.parse(text) as Json };
  };
  const sign = (method: string, url: URL, body?: Uint8Array) => {
    const signable = {
      method,
      path: url.pathname,
      query: [...url.searchParams],
      secret,
      timestamp: String(Math.floor(clock.now() / 1000)),
    };
    return Object.fromEntries(signatureHeaders(body ? { ...signable, body } : signable));
  };
  const callers = (signing: boolean): Client["signed"] => ({
    get: (path, query = {}) => {
      const url = new URL(`${base}${path}?${new URLSearchParams(query)}`);
      return call(url, { headers: signing ? sign("GET", url) : {} });
    },
    post: (path, value) => {
      const [url, body] = [new URL(base + path), Buffer.from(JSON.stringify(value))];
      return call(url, {
        method: "POST",
        body,
        headers: { "content-type": "application/json", ...(signing ? sign("POST", url, body) : {}) },
      });
    },
  });
  const plain = callers(false);
  return {
    accountId,
    credentials: { origin: new URL(base).origin, token, signingSecret: secret },
    set: (more) => void set(more),
    ...plain,
    signed: callers(true),
    recharge: (urid, more = {}) => plain.post("/recharge", { account: "9876543000", operator: "AT", amount: "10", urid, ...more }),
  };
}

/** The common fields of a signed service's replies without a transaction. */
export function commonFields(service: string): Json {
  return { ok: true, status: "SUCCESS", code: 0, error: "", message: "", service };
}

export function itemsOf(answer: Answer): Items {
  if (answer.status !== 200) throw new Error(`Answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body["items"] as Items;
}
