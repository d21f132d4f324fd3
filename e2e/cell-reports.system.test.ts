import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migratedDatabase } from "../server/src/testing/database.ts";
import { startTcpProxy, type TcpProxy } from "../server/src/testing/tcp-proxy.ts";
import { until } from "./harness/deadline.ts";
import { type Client, change, type JsonRecord, newClient } from "./harness/operator.ts";
import { type FakeProvider, startFakeProvider } from "./harness/providers/fake-provider.ts";
import { describe, transaction } from "./harness/providers/fake-provider-description.ts";
import { type Service, startService } from "./harness/service.ts";

const closers: (() => unknown)[] = [];
let environment: Readonly<Record<string, string>>;
let proxy: TcpProxy;
let provider: FakeProvider;
let service: Service;
/** A client in cell 1. */
let client: Client;

beforeAll(async () => {
  const [home, one] = await Promise.all([migratedDatabase(), migratedDatabase()]);
  const url = new URL(one.url);
  proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  environment = { CORPRAIL_DATABASE_URL: home.url, CORPRAIL_CELLS: `1=${url.href}` };
  service = await startService(environment);
  provider = await startFakeProvider();
  closers.push(home.drop, one.drop, proxy.close, provider.close);
  closers.push(() => rm(service.dataFolder, { recursive: true, force: true }));
  closers.push(() => service.stop());
  client = await newClient(service, { services: { recharge: true } });
  await change(service, `/accounts/${client.accountId}/wallet`, { amount: "1000.00", reference: "start", note: "" });
  const pay = transaction("/pay/recharge", { account: "{target}", product: "{operator}", paise: "{amount|paise|number}" });
  await change(service, "/providers", { definition: describe("first", provider, { "recharge.pay": pay }), secrets: provider.keys });
  await change(service, "/routes", { service: "recharge", operator: "*", provider: "first", priority: 1 });
});
afterAll(async () => {
  proxy.open();
  for (const close of closers.toReversed()) await close();
});

async function call(path: string, body?: object): Promise<{ readonly status: number; readonly body: JsonRecord }> {
  const headers = { "x-api-token": client.token, "content-type": "application/json" };
  const request = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const reply = await fetch(`${service.url}/api/corp/v1${path}`, request);
  return { status: reply.status, body: (await reply.json()) as JsonRecord };
}

test("a provider repeats its reversal of an order until the order's cell, which was down at the start, answers", async () => {
  const paid = await call("/recharge", { account: "9876543000", operator: "AT", amount: "10.00", urid: "r1" });
  expect(paid.body).toMatchObject({ status: "SUCCESS", order_id: expect.stringMatching(/1$/) });
  const reversed = provider.transactions.at(-1) ?? expect.fail("The provider has no transaction.");
  await service.stop();
  proxy.refuse();
  service = await startService({ ...environment, CORPRAIL_DATA_DIR: service.dataFolder });
  reversed.state = "REVERSED";
  const report = async () =>
    (await fetch(`${service.url}/upstream/first/callback`, { method: "POST", ...provider.message(reversed) })).status;
  expect(await report()).toBe(503);
  proxy.open();
  await until("the report is taken", async () => ((await report()) === 200 ? true : null));
  expect((await call("/balance")).body).toMatchObject({ balance: "1000.0000" });
});
