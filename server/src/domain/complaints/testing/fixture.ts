import { expect } from "vitest";
import { expectMatchesOpenApi } from "../../../../../e2e/harness/openapi-check.ts";
import { createAdmissionBatcher } from "../../../api/client/gate/admission.ts";
import { createCongestion } from "../../../api/client/gate/congestion.ts";
import { PREFIX, routeTable } from "../../../api/client/route-table.ts";
import { clientApi } from "../../../api/http/client-api.ts";
import { listen } from "../../../api/http/server.ts";
import { type TestApi, testApi } from "../../../api/operator/testing/api.ts";
import { createLog } from "../../../platform/observability/log.ts";
import { createMetrics } from "../../../platform/observability/metrics.ts";
import { loadCatalogue } from "../../catalog/catalogue.ts";
import { checkLedger } from "../../ledger/invariants.ts";
import type { OrdersContext } from "../../orders/context.ts";
import { createOrdersInProgress } from "../../orders/orders-in-progress.ts";
import { createWriter } from "../../orders/write/writer.ts";
import { complaintRoutes } from "../routes.ts";
import { type BuiltOrder, buildOrder } from "./build-order.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads replies of every shape
export type Answer = { readonly status: number; readonly body: any };

export type Client = {
  readonly accountId: string;
  readonly get: (path: string) => Promise<Answer>;
  readonly post: (path: string, body: object) => Promise<Answer>;
  readonly order: (wanted?: Partial<BuiltOrder>) => Promise<string>;
  readonly complain: (fields: object) => Promise<Answer>;
  /** Raises a complaint that must be accepted. Returns its reference. */
  readonly complaint: (orderId: string) => Promise<string>;
  readonly balance: () => Promise<bigint>;
  readonly callbacks: () => Promise<readonly SentCallback[]>;
  readonly state: (orderId: string) => Promise<number>;
};

export type SentCallback = {
  readonly callback_id: string;
  readonly kind: string;
  readonly order_id: string;
  readonly urid: string;
  readonly status: string;
  readonly amount: bigint;
  readonly target: string;
  readonly operator_ref: string | null;
  readonly complaint_ref: string | null;
  readonly refund_amount: bigint | null;
  readonly reason: string | null;
  readonly resolved_at: Date | null;
};

export type Fixture = {
  readonly operator: TestApi;
  readonly ctx: OrdersContext;
  readonly wakes: () => number;
  readonly client: (settings?: object) => Promise<Client>;
  readonly clear: (ref: string, decision: string, reason?: string) => Promise<Answer>;
  readonly expectSoundLedger: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Client and operator API on real sockets and one database; orders come from a builder, not from a provider. */
export async function createFixture(): Promise<Fixture> {
  const orders = {} as { -readonly [Name in keyof OrdersContext]: OrdersContext[Name] };
  const operator = await testApi({ orders });
  const { ctx: settings, clock, directory } = operator.settings;
  const { sql, ids } = settings;
  let wakes = 0;
  const log = createLog("silent");
  const processId = ids.entry(clock.now());
  Object.assign(orders, {
    sql,
    writer: createWriter({ connection: sql, sql, clock, processId, log }),
    inProgress: createOrdersInProgress(),
    clock,
    ids,
    log,
    processId,
    wakeCallbacks: () => void wakes++,
  } satisfies Partial<OrdersContext>);
  const gate = {
    clock,
    admission: createAdmissionBatcher(sql, clock),
    findToken: directory.findToken,
    accountById: directory.byId,
    // The settings and the API update the same directory, so both must read the same feed.
    ensureFresh: () => operator.settings.feed.refresh(),
    congestion: createCongestion(),
    trustedProxies: [],
  };
  const routes = complaintRoutes({ ...orders, catalogue: await loadCatalogue(sql) });
  const api = clientApi({ table: routeTable(routes), gate, ids, log, metrics: createMetrics() });
  const server = await listen({ host: "127.0.0.1", port: 0, clientApi: api, others: api, ids });
  return {
    operator,
    ctx: orders,
    wakes: () => wakes,
    client: (wanted = {}) => newClient(operator, orders, server.port, wanted),
    clear: (ref, decision, reason = "The operator has looked.") => operator.post(`/complaints/${ref}/clear`, { decision, reason }),
    expectSoundLedger: async () => expect((await checkLedger(sql)).filter((check) => check.violations > 0)).toEqual([]),
    close: async () => {
      await server.close(100);
      await operator.close();
    },
  };
}

async function newClient(operator: TestApi, orders: OrdersContext, port: number, settings: object): Promise<Client> {
  const { account_id: accountId, api_token: token } = await operator.newAccount();
  await operator.post(`/accounts/${accountId}/allowlist`, { entries: ["127.0.0.1"] });
  await operator.post(`/accounts/${accountId}/wallet`, { amount: "100000.00", reference: "start" });
  await operator.post(`/accounts/${accountId}`, { money_per_minute: 100_000, get_per_minute: 100_000, ...settings });
  const send = async (method: string, path: string, body?: object): Promise<Answer> => {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = { "x-api-token": token, ...(body === undefined ? {} : { "content-type": "application/json" }) };
    const reply = await fetch(`http://127.0.0.1:${port}${PREFIX}${path}`, { method, headers, ...content });
    const text = await reply.text();
    expectMatchesOpenApi(method, PREFIX + path, reply.status, text);
    return { status: reply.status, body: JSON.parse(text) };
  };
  const complain = (fields: object) =>
    send("POST", "/complaints", { reason: "not_credited", description: "The customer says it is not there.", ...fields });
  const { sql } = orders;
  return {
    accountId,
    get: (path) => send("GET", path),
    post: (path, body) => send("POST", path, body),
    order: (wanted = {}) => buildOrder(orders, accountId, wanted),
    complain,
    complaint: async (orderId) => {
      const raised = await complain({ order_id: orderId });
      expect(raised.status).toBe(201);
      return raised.body.complaint_ref;
    },
    balance: async () => (await sql`select available from wallets where account_id = ${accountId}`)[0]?.["available"],
    callbacks: () => sql<SentCallback[]>`
      select callback_id, kind, order_id, urid, status, amount, target, operator_ref, complaint_ref, refund_amount, reason, resolved_at
      from callbacks where account_id = ${accountId} order by callback_id`,
    state: async (orderId) => (await sql`select state from orders where account_id = ${accountId} and order_id = ${orderId}`)[0]?.["state"],
  };
}
