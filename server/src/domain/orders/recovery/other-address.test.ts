import { createServer } from "node:http";
import { defineConnector } from "@corprail/connector";
import { checkPlugin } from "@corprail/connector/host";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createLog } from "../../../platform/observability/log.ts";
import { type TestSettings, testSettings } from "../../accounts/testing/settings.ts";
import { checkLedger } from "../../ledger/invariants.ts";
import { usePlugins } from "../../providers/plugin/loaded-plugins.ts";
import { loadProviders, type ProviderRegistry } from "../../providers/registry.ts";
import { type ProviderInput, saveProvider } from "../../providers/settings/save-provider.ts";
import { setSecret } from "../../providers/settings/set-secret.ts";
import { testEgress } from "../../providers/testing/egress.ts";
import { closeAll, listen } from "../../providers/wire/testing/servers.ts";
import type { OrdersContext } from "../context.ts";
import { placeOrder } from "../place-order.ts";
import { readHistory } from "../queries/read-history.ts";
import { findById } from "../store.ts";
import { contextOf, ids, money, newRequest } from "../testing/fixture.ts";
import { pollOrders } from "./order-polls.ts";

const HOUR = 3_600_000;

const echo = defineConnector({
  ...{ apiVersion: 1, name: "echo", secrets: ["token", "signing_secret"], settings: z.strictObject({ base_url: z.url() }) },
  operations: ["recharge.pay"],
  origins: ({ base_url }) => [new URL(base_url).origin],
  open: ({ wire, settings, secrets, store }) => {
    const call = async (part: string) => {
      const login = (await store.get("login")) ?? secrets.token;
      await store.set("login", login);
      const answer = await wire.fetch({ operation: "recharge.pay", method: "GET", url: `${settings.base_url}/${part}?${login}` });
      if (answer.kind !== "answered") return { kind: "unknown", why: answer.why } as const;
      if (answer.status === 200) return { kind: "succeeded", operatorRef: "OP1" } as const;
      return answer.status === 404 ? ({ kind: "not_found" } as const) : ({ kind: "unknown", why: "no answer" } as const);
    };
    const send = async () => {
      const outcome = await call("send");
      return outcome.kind === "not_found" ? ({ kind: "unknown", why: "not found" } as const) : outcome;
    };
    return { "recharge.pay": { send, status: () => call("status") } };
  },
});

let settings: TestSettings;
let registry: ProviderRegistry;
let ctx: OrdersContext;
beforeAll(async () => {
  const checked = checkPlugin(echo);
  usePlugins(checked.ok ? [checked.plugin] : []);
  settings = await testSettings();
  const { sql, vault, clock } = settings.ctx;
  registry = await loadProviders({ sql, vault, clock, log: createLog("silent"), reportTo: () => {}, egress: testEgress() });
});
afterEach(closeAll);
afterAll(async () => {
  usePlugins([]);
  expect((await checkLedger(settings.ctx.sql)).filter((check) => check.violations > 0)).toEqual([]);
  await registry.close();
  await settings.close();
});

type Server = { readonly origin: string; readonly heard: string[]; answer: 200 | 404 | 500 };

/** A provider that answers every request with the same HTTP status; 404 is "not found" in the words of a Corprail. */
async function startServer(answer: Server["answer"]): Promise<Server> {
  const server = { origin: "", heard: [] as string[], answer };
  const port = await listen(
    createServer((request, reply) => {
      const { pathname, search, searchParams } = new URL(request.url ?? "", "http://x");
      server.heard.push(`${pathname}${search}`);
      const body = { status: "rejected", error: "not_found", code: 125, message: "No.", urid: searchParams.get("urid") };
      reply.writeHead(server.answer, { "content-type": "application/json" }).end(JSON.stringify(body));
    }),
  );
  return Object.assign(server, { origin: `http://127.0.0.1:${port}` });
}

const KINDS = {
  corprail: (base_url: string) => ({ connector: "corprail", settings: { base_url, plain_http: true } }),
  plugin: (base_url: string) => ({ connector: "plugin", settings: { plugin: "echo", settings: { base_url } } }),
} as const satisfies Record<string, (origin: string) => Pick<ProviderInput, "connector" | "settings">>;
type Kind = keyof typeof KINDS;

const saving = () => ({ ...settings.ctx, egress: testEgress(), refresh: registry.reload });

async function save(provider: string, kind: Kind, { origin }: Server, secret: string): Promise<void> {
  const secrets = { token: `${secret}_token`, signing_secret: `${secret}_signing` };
  expect(await saveProvider(saving(), "test", { provider, ...KINDS[kind](origin), secrets })).toMatchObject({ kind: "done" });
}

/** An order of ten rupees in doubt at a provider that gave no usable answer. */
async function orderInDoubt(provider: string) {
  const { sql, clock } = settings.ctx;
  const own = contextOf(sql, sql, clock);
  const { connector, versionFor, secretsChangedAt } = registry;
  ctx = { ...own, providerRegistry: { ...own.providerRegistry, providersFor: () => [provider], connector, versionFor, secretsChangedAt } };
  const accountId = ids.account();
  await ctx.writer.write({ kind: "topup", accountId, amount: money(100), reference: "first", note: "" });
  const placed = await placeOrder(ctx, newRequest(accountId));
  if (placed.kind !== "order") throw new Error("No order.");
  expect(placed.order.state).toBe("pending");
  const state = async () => (await findById(sql, placed.order.orderId))?.state;
  const why = async () => (await readHistory(sql, placed.order)).waiting?.why;
  return { state, why };
}

async function poll(times: number): Promise<void> {
  for (let one = 0; one < times; one++) {
    settings.clock.advance(HOUR);
    await pollOrders(ctx);
  }
}

test.each(["corprail", "plugin"] as const)(
  "an order is asked about where it was sent after the address of a %s provider changed",
  async (kind) => {
    const provider = `moved-${kind}`;
    const [old, next] = [await startServer(500), await startServer(404)];
    await save(provider, kind, old, "old");
    const order = await orderInDoubt(provider);
    const sent = old.heard.length;
    await save(provider, kind, next, "new");
    await poll(3);
    expect([await order.state(), next.heard]).toEqual(["pending", []]);
    expect(old.heard.length).toBeGreaterThan(sent);
    expect(old.heard.join()).not.toContain("new");
    // There it counts.
    old.answer = 404;
    await poll(2);
    expect(await order.state()).toBe("FAILED");
  },
);

test.each([
  ["corprail", "plugin"],
  ["plugin", "corprail"],
] as const)("an order of a %s provider is asked about as one after it became a %s provider", async (kind, other) => {
  const provider = `was-${kind}`;
  const [old, next] = [await startServer(500), await startServer(404)];
  await save(provider, kind, old, "old");
  const order = await orderInDoubt(provider);
  await save(provider, other, next, "new");
  await poll(3);
  expect([await order.state(), next.heard]).toEqual(["pending", []]);
});

test("a plug-in that logged in at the new address still uses its old login at the old one", async () => {
  const [old, next] = [await startServer(500), await startServer(500)];
  await save("logins", "plugin", old, "old");
  await orderInDoubt("logins");
  await save("logins", "plugin", next, "new");
  const first = ctx;
  await orderInDoubt("logins");
  await poll(1);
  ctx = first;
  expect(new Set(old.heard.map((url) => url.split("?")[1]))).toEqual(new Set(["old_token"]));
  expect(new Set(next.heard.map((url) => url.split("?")[1]))).toEqual(new Set(["new_token"]));
});

test.each(["corprail", "plugin"] as const)(
  "after another token was set for a %s provider, not found refunds nothing and staff see why",
  async (kind) => {
    const provider = `token-${kind}`;
    const server = await startServer(500);
    await save(provider, kind, server, "old");
    const order = await orderInDoubt(provider);
    await setSecret(saving(), "test", { provider, name: "token", value: "another_token", reason: undefined });
    server.answer = 404;
    await poll(4);
    expect([await order.state(), await order.why()]).toEqual(["pending", expect.stringContaining("its secrets were changed")]);
    // An order that is sent with the new token is found or not found by it.
    server.answer = 500;
    const later = await orderInDoubt(provider);
    server.answer = 404;
    await poll(3);
    expect([await order.state(), await later.state()]).toEqual(["pending", "FAILED"]);
  },
);
