import { rm } from "node:fs/promises";
import { Corprail } from "@corprail/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MoveContext, moveAccount } from "../server/src/domain/cells/move/move-account.ts";
import { randomIds } from "../server/src/platform/core/ids.ts";
import { connect } from "../server/src/platform/db/connection.ts";
import { migratedDatabase } from "../server/src/testing/database.ts";
import { until } from "./harness/deadline.ts";
import { type Client, change, newClient } from "./harness/operator.ts";
import { newReference } from "./harness/providers/described-services.ts";
import { type FakeProvider, startFakeProvider } from "./harness/providers/fake-provider.ts";
import { describe, query, transaction } from "./harness/providers/fake-provider-description.ts";
import { type Service, startService } from "./harness/service.ts";

// What a provider answers after the account that asked has moved to another cell.

const closers: (() => unknown)[] = [];
let service: Service;
let provider: FakeProvider;
let client: Client;
let api: Corprail;
let cells: MoveContext["cells"];

const BILLER = {
  ...{ biller_id: "code", name: "title", category: "kind", flow: { constant: "fetch" }, exactness: { constant: "exact" } },
  params: { list: "inputs", item: { name: "key", label: "label", pattern: "form", example: "sample" } },
};
const OPERATIONS = {
  "bills.billers": query("/billers", {}, { billers: { list: "billers", item: BILLER } }),
  "bills.fetch": query(
    "/bills/fetch",
    { biller: "{biller_id}" },
    {
      status: { constant: "found" },
      bills: { list: "bills", item: { bill_number: "bill_no", amount: { path: "due_paise", unit: "paise" }, customer_name: "customer" } },
    },
  ),
  "bills.pay": transaction("/pay/bill", { biller: "{operator}", paise: "{amount|paise|number}" }),
};

beforeAll(async () => {
  const databases = [await migratedDatabase(), await migratedDatabase()];
  closers.push(...databases.map(({ drop }) => drop));
  service = await startService({ CORPRAIL_DATABASE_URL: `${databases[0]?.url}`, CORPRAIL_CELLS: `1=${databases[1]?.url}` });
  closers.push(() => rm(service.dataFolder, { recursive: true, force: true }));
  closers.push(() => service.stop());
  const connected = databases.map(({ url }) => connect({ url, connections: 4, role: null }));
  closers.push(...connected.map(({ close }) => close));
  cells = connected.map(({ sql }, cell) => ({ cell, sql }));
  provider = await startFakeProvider();
  closers.push(provider.close);
  const inputs = [{ key: "Consumer No", label: "Consumer number", form: "^[0-9]{6}$", sample: "123456" }];
  provider.on("/billers", () => ({ billers: [{ code: "PUNE-WATER", title: "Pune Water", kind: "water", inputs }] }));
  provider.on("/bills/fetch", () => ({ bills: [{ bill_no: "B-1", due_paise: 45_050, customer: "ASHA VERMA" }] }));
  client = await newClient(service, { services: { bills: true } });
  await change(service, `/accounts/${client.accountId}/wallet`, { amount: "1000.00", reference: "start", note: "" });
  await change(service, "/providers", { definition: describe("first", provider, OPERATIONS), secrets: provider.keys });
  await change(service, "/routes", { service: "bills", operator: "*", provider: "first", priority: 1 });
  api = new Corprail({ baseUrl: service.url, token: client.token, signingSecret: client.secret, maxRetries: 0 });
});
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

async function moveToOtherCell(): Promise<void> {
  const home = cells[0]?.sql ?? expect.fail("There is no home.");
  const [place] = await home<{ cell: number }[]>`select cell::int as cell from account_cells where account_id = ${client.accountId}`;
  const context = { cells, ids: randomIds(), now: Date.now, actor: "test" };
  expect(await moveAccount(context, client.accountId, 1 - (place?.cell ?? 0))).toMatchObject({ kind: "done" });
}

test("a bill that was being fetched while the account moved is never acknowledged by the old cell; the same request succeeds later", async () => {
  const input = {
    ...{ requestId: newReference("fetch"), billerId: "PUNE-WATER", customerMobile: "9876543210" },
    params: { "Consumer No": "123456" },
  };
  expect(await api.bills.billers().toArray()).toHaveLength(1);
  const release = provider.holdAnswers();
  const first = api.bills.fetch(input).then(
    () => "acknowledged",
    (error: { readonly error?: string }) => error.error,
  );
  await until("the provider is asked", () => provider.asked.some(({ path }) => path === "/bills/fetch"));
  await moveToOtherCell();
  release();
  expect(await first).toBe("busy");
  const fetched = await until("the account is served", () => api.bills.fetch(input).catch(() => null));
  expect(fetched).toMatchObject({ status: "SUCCESS", bills: [{ billNumber: "B-1" }] });
  expect(await api.bills.getFetch({ fetchRef: fetched.fetchRef })).toMatchObject({ fetchRef: fetched.fetchRef });
});
