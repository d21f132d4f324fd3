import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { corprail } from "../cli/testing/processes.ts";
import { connect } from "../server/src/platform/db/connection.ts";
import { migratedDatabase } from "../server/src/testing/database.ts";
import { startTcpProxy, type TcpProxy } from "../server/src/testing/tcp-proxy.ts";
import { until } from "./harness/deadline.ts";
import { type Client, change, type JsonRecord, newClient, operator } from "./harness/operator.ts";
import { launch, type Service, startService, temporaryFolder } from "./harness/service.ts";

let databases: Awaited<ReturnType<typeof migratedDatabase>>[];
let proxies: readonly TcpProxy[];
let environment: Readonly<Record<string, string>>;
let service: Service;
/** One client in each cell: home, cell 1, cell 2. */
let clients: readonly Client[];

beforeAll(async () => {
  databases = await Promise.all([migratedDatabase(), migratedDatabase(), migratedDatabase()]);
  const proxied = await Promise.all(databases.map(({ url }) => behindProxy(url)));
  proxies = proxied.map(({ proxy }) => proxy);
  const [home, one, two] = proxied.map(({ url }) => url);
  environment = {
    ...{ CORPRAIL_DATABASE_URL: `${home}`, CORPRAIL_CELLS: `1=${one} 2=${two}` },
    ...{ CORPRAIL_SIMULATOR_DELAY_MS: "0", CORPRAIL_CALLBACK_ALLOW: "127.0.0.0/8" },
  };
  service = await startService(environment);
  // The demo account is at home, so that the next two go to the other cells.
  const [inOne, inTwo, atHome] = [await newFunded(), await newFunded(), await newFunded()];
  clients = [atHome, inOne, inTwo];
});
afterAll(async () => {
  for (const proxy of proxies) proxy.open();
  await service.stop();
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await Promise.all(databases.map(({ drop }) => drop()));
  await rm(service.dataFolder, { recursive: true, force: true });
});

async function behindProxy(address: string): Promise<{ readonly proxy: TcpProxy; readonly url: string }> {
  const url = new URL(address);
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  return { proxy, url: url.href };
}

async function newFunded(): Promise<Client> {
  const client = await newClient(service);
  await change(service, `/accounts/${client.accountId}/wallet`, { amount: "1000", reference: "first", note: "" });
  return client;
}

async function recharge(
  { token }: Client,
  urid: string,
  account = "9876543000",
): Promise<{ readonly status: number; readonly body: JsonRecord }> {
  const reply = await fetch(`${service.url}/api/corp/v1/recharge`, {
    method: "POST",
    headers: { "x-api-token": token, "content-type": "application/json" },
    body: JSON.stringify({ account, operator: "AT", amount: "10.00", urid }),
  });
  return { status: reply.status, body: (await reply.json()) as JsonRecord };
}

function clientOf(cell: number): Client {
  const client = clients[cell];
  if (!client) throw new Error(`There is no client in cell ${cell}.`);
  return client;
}

function proxyOf(cell: number): TcpProxy {
  const proxy = proxies[cell];
  if (!proxy) throw new Error(`There is no proxy before cell ${cell}.`);
  return proxy;
}

async function allPages(path: string): Promise<readonly JsonRecord[]> {
  const items: JsonRecord[] = [];
  let next: unknown = null;
  do {
    const { body } = await operator(service, "GET", `${path}${next === null ? "" : `&after=${String(next)}`}`);
    items.push(...(body["items"] as JsonRecord[]));
    next = body["next"];
  } while (next !== null);
  return items;
}

test("a new account goes to the cell with the fewest, and its order ids tell the cell", async () => {
  const endings = await Promise.all(clients.map(async (client) => String((await recharge(client, "first")).body["order_id"]).slice(18)));
  expect(endings).toEqual(["", "1", "2"]);
});

test("a reference makes one order, and a balance is the account's own, in every cell", async () => {
  for (const client of clients) {
    const [once, again] = [await recharge(client, "twice"), await recharge(client, "twice")];
    expect(again.body["order_id"]).toBe(once.body["order_id"]);
  }
  const { body } = await operator(service, "GET", "/ledger/check");
  expect(body).toMatchObject({ ok: true });
});

test("staff's lists show the newest rows of all cells, page by page, each once", async () => {
  const orders = (await allPages("/orders?limit=2")).map((row) => String(row["order_id"]));
  expect(orders).toEqual([...new Set(orders)].sort().reverse());
  expect(new Set(orders.map((id) => id.slice(18)))).toEqual(new Set(["", "1", "2"]));
  const accounts = (await allPages("/accounts?limit=2")).map((row) => row["account_id"]);
  expect(accounts).toEqual(expect.arrayContaining(clients.map((client) => client.accountId)));
  expect(new Set(accounts).size).toBe(accounts.length);
  const entries = await allPages("/audit?limit=3");
  expect(new Set(entries.map((entry) => `${entry["cell"]}-${entry["seq"]}`)).size).toBe(entries.length);
  expect(new Set(entries.map((entry) => entry["cell"]))).toEqual(new Set([0, 1, 2]));
  const chains = (await operator(service, "GET", "/audit/chains")).body["items"] as JsonRecord[];
  expect(chains.map((chain) => chain["name"])).toEqual(["home", "cell 1", "cell 2"]);
});

test("an order is found, changed and approved in its cell", async () => {
  const client = clientOf(1);
  const orderId = String((await recharge(client, "reversed")).body["order_id"]);
  expect((await operator(service, "GET", `/orders/${orderId}`)).status).toBe(200);
  const reversed = await change(service, `/orders/${orderId}/reverse`, { reason: "the client asked" });
  expect(reversed).toMatchObject({ order: { status: "FAILED" } });
  expect((await operator(service, "GET", "/orders/01M7N1T0KVZGGMP9MK2")).status).toBe(404);
});

test("four eyes that were switched on at home hold money in every cell", async () => {
  await change(service, "/approval-rules", { wallet_threshold: "100.00" });
  for (const { accountId } of clients) {
    const asked = await operator(service, "POST", `/accounts/${accountId}/wallet`, { amount: "500.00", reference: "large", note: "" });
    expect(asked.status).toBe(202);
  }
  const waiting = await allPages("/approvals?limit=2&state=waiting");
  expect(new Set(waiting.map((row) => row["account_id"]))).toEqual(new Set(clients.map((client) => client.accountId)));
  for (const row of waiting) await change(service, `/approvals/${String(row["approval_id"])}/withdraw`);
});

const today = () => new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Kolkata" }).format(new Date());

async function finished(job: JsonRecord): Promise<JsonRecord> {
  const ended = await until("the job ends", async () => {
    const { body } = await operator(service, "GET", `/jobs/${String(job["job_id"])}`);
    return body["state"] === "waiting" || body["state"] === "running" ? null : body;
  });
  expect(ended).toMatchObject({ state: "done" });
  return ended;
}

test("an export has the orders of all cells, oldest first", async () => {
  const asked = await change(service, "/orders/export", { from: today(), to: today() });
  const job = await finished(asked["job"] as JsonRecord);
  const headers = { authorization: `Bearer ${service.operatorKey}` };
  const file = await (await fetch(`${service.url}/api/operator/v1/jobs/${String(job["job_id"])}/file`, { headers })).text();
  const exported = file
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(",")[0] ?? "");
  const listed = (await allPages("/orders?limit=100")).map((row) => String(row["order_id"]));
  expect(exported).toEqual(listed.toReversed());
});

async function failing(): Promise<readonly JsonRecord[]> {
  return (await allPages("/callbacks/targets?limit=2")).filter((row) => Number(row["failures"]) > 0);
}

test("callbacks of all cells are sent again by one job", async () => {
  const since = `${today()} 00:00:00`;
  for (const { accountId } of clients) await change(service, `/accounts/${accountId}`, { callback_url: "http://127.0.0.1:9/closed" });
  for (const client of clients) await recharge(client, "undelivered", "9876543200");
  await until("every account has a callback that fails", async () => ((await failing()).length === clients.length ? true : null));
  const all = await change(service, "/callbacks/recovery", { since });
  expect(await finished(all["job"] as JsonRecord)).toMatchObject({ result: { rows: 3 } });
  const one = await change(service, "/callbacks/recovery", { since, account_id: clientOf(2).accountId });
  expect(await finished(one["job"] as JsonRecord)).toMatchObject({ result: { rows: 1 } });
  const recovered = (await allPages("/audit?limit=50&action=callbacks.recovered")).map((entry) => [entry["cell"], entry["subject_id"]]);
  expect(new Set(recovered.map(String))).toEqual(new Set(clients.map(({ accountId }, cell) => `${cell},${accountId}`)));
});

async function pendingOrders(name: string): Promise<readonly string[]> {
  return await Promise.all(clients.map(async (client) => String((await recharge(client, name, "9876543110")).body["order_id"])));
}

/** Previews a settlement when no provider can still be answering. */
async function previewOf(ids: readonly string[]): Promise<JsonRecord> {
  return await until("the orders can be settled", async () => {
    const shown = await change(service, "/bulk/settle/preview", { order_ids: ids });
    return shown["count"] === ids.length ? shown : null;
  });
}

async function startSettling({ selection_id, count, amount }: JsonRecord): Promise<JsonRecord> {
  const started = await change(service, "/bulk/settle", { selection_id, count, amount, status: "FAILED", reason: "Not at the operator." });
  return started["job"] as JsonRecord;
}

test("a bulk action spans cells: each order is settled and each callback resent where it is", async () => {
  const ids = await pendingOrders("bulk");
  const preview = await previewOf(ids);
  expect(preview).toMatchObject({ amount: "30.0000", accounts: 3, skipped: [] });
  const done = await finished(await startSettling(preview));
  expect(done).toMatchObject({ result: { done: 3, skipped: 0, waiting: 0 } });
  const items = await allPages(`/bulk/${String(preview["selection_id"])}/items?limit=2`);
  expect(items.map((item) => [item["item_id"], item["state"]])).toEqual(ids.toSorted().map((id) => [id, "done"]));
  for (const id of ids) expect((await operator(service, "GET", `/orders/${id}`)).body).toMatchObject({ order: { status: "FAILED" } });
  expect((await operator(service, "GET", "/bulk/NOBODY/items?limit=2")).status).toBe(404);
  const resend = await change(service, "/bulk/resend/preview", { filter: { since: `${today()} 00:00:00` } });
  const { selection_id, count } = resend;
  expect(Number(count)).toBeGreaterThanOrEqual(3);
  const resent = await change(service, "/bulk/resend", { selection_id, count });
  expect(await finished(resent["job"] as JsonRecord)).toMatchObject({ result: { waiting: 0 } });
});

test("a cell that does not answer keeps its items of a bulk action waiting, and the job says so", async () => {
  const ids = await pendingOrders("bulk-dead-cell");
  const previewRequery = async () => (await operator(service, "POST", "/bulk/requery/preview", { order_ids: ids })).body;
  const { selection_id, count } = await until("the orders wait for their provider", async () => {
    const shown = await previewRequery();
    return shown["count"] === 3 ? shown : null;
  });
  proxyOf(2).refuse();
  const started = await change(service, "/bulk/requery", { selection_id, count });
  const done = await finished(started["job"] as JsonRecord);
  expect(done).toMatchObject({ result: { done: 2, skipped: 0, waiting: 1, message: expect.stringContaining("1 was left waiting") } });
  const partial = await previewRequery();
  expect(partial["count"]).toBe(2);
  expect(partial["skipped"]).toContainEqual({ reason: expect.stringContaining("cell 2 does not answer"), count: 0 });
  proxyOf(2).open();
  await until("cell 2 answers", async () => ((await previewRequery())["count"] === 3 ? true : null));
  await until("its account is served", async () => ((await recharge(clientOf(2), "bulk-served")).status === 200 ? true : null));
  await until("lists are complete", async () => (await missingCells()) === "none");
});

async function upload(file: string): Promise<string> {
  const reply = await fetch(`${service.url}/api/operator/v1/reconciliations?provider=simulator&day=${today()}&name=day.csv`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.operatorKey}`, "content-type": "text/csv" },
    body: file,
  });
  return String(((await reply.json()) as JsonRecord)["reconciliation_id"]);
}

test("a provider's file is compared with the orders of all cells, and settles them where they are", async () => {
  const orders = await Promise.all(clients.map(async (client) => (await recharge(client, "reconciled", "9876543110")).body));
  const ids = orders.map((body) => String(body["order_id"]));
  const listed = (await allPages("/orders?limit=100")).filter(
    (row) => row["status"] !== "FAILED" && !ids.includes(String(row["order_id"])),
  );
  const lines = ["ref,txn,amount,status", ...ids.map((id) => `${id},T${id},10.00,SUCCESS`)];
  const made = await upload(`${lines.join("\n")}\n`);
  const columns = { reference: "ref", provider_reference: "txn", amount: "amount", status: "status" };
  const mapping = { ...columns, success: ["SUCCESS"], failed: [], pending: [] };
  const run = await change(service, `/reconciliations/${made}/run`, mapping);
  await finished(run["job"] as JsonRecord);
  const { body } = await operator(service, "GET", `/reconciliations/${made}`);
  expect(body).toMatchObject({ counts: { missing_there: { count: listed.length } }, to_settle: { count: 3, amount: "30.0000" } });
  const one = await change(service, `/reconciliations/${made}/items/3/settle`, { reason: "as the file says" });
  expect(one).toMatchObject({ here: { order: { status: "SUCCESS" } }, account_id: clientOf(1).accountId });
  await until("the provider can no longer be answering", async () => {
    const shown = await change(service, "/bulk/settle/preview", { order_ids: ids });
    return shown["count"] === 2 ? shown : null;
  });
  const all = await change(service, `/reconciliations/${made}/settle-all`, { reason: "as the file says" });
  expect(await finished(all["job"] as JsonRecord)).toMatchObject({ result: { settled: 2, left: 0 } });
  for (const id of ids) expect((await operator(service, "GET", `/orders/${id}`)).body).toMatchObject({ order: { status: "SUCCESS" } });
  expect((await operator(service, "GET", "/ledger/check")).body).toMatchObject({ ok: true });
});

test("configuration files have the clients of all cells, and are applied where each client is", async () => {
  const folder = await temporaryFolder("corprail-settings-");
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const run = (...given: readonly string[]) =>
    corprail([...given, "--json"], { CORPRAIL_BASE_URL: service.url, CORPRAIL_OPERATOR_KEY: service.operatorKey });
  const exported = await run("export", folder);
  expect(exported.code, exported.stdout + exported.stderr).toBe(0);
  const file = join(folder, "clients.yaml");
  const text = await readFile(file, "utf8");
  const names = await Promise.all(
    clients.map(async ({ accountId }) => String((await operator(service, "GET", `/accounts/${accountId}`)).body["name"])),
  );
  for (const name of names) expect(text).toContain(name);
  await writeFile(file, text.replaceAll("daily_limit: null", 'daily_limit: "5000"'));
  expect((await run("plan", folder)).code).toBe(2);
  const applied = await run("apply", folder, "--yes");
  expect(applied.code, applied.stdout + applied.stderr).toBe(0);
  for (const { accountId } of clients)
    expect((await operator(service, "GET", `/accounts/${accountId}`)).body).toMatchObject({ daily_limit: "5000.0000" });
  expect((await run("plan", folder)).code).toBe(0);
});

test("applications of new clients are kept in their cells, and listed and counted as one", async () => {
  const started: string[] = [];
  for (const name of ["Asha Retail", "Bharat Retail", "Chitra Retail"])
    started.push(String((await change(service, "/onboardings", { name }))["account_id"]));
  for (const accountId of started) {
    const { body } = await operator(service, "GET", `/accounts/${accountId}/onboarding`);
    const address = { line: "12 MG Road", city: "Bengaluru", state_code: "29", pincode: "560001" };
    const company = { legal_name: "Retail Private Limited", entity_type: "company", pan: "AAGCA7383J", gstin: null, address };
    const saved = await change(service, `/accounts/${accountId}/onboarding`, { version: body["version"], company });
    expect(saved).toMatchObject({ state: "draft", company: { pan: "AAGCA7383J" } });
  }
  const listed = (await allPages("/onboardings?limit=2")).map((row) => row["account_id"]);
  expect(listed).toEqual(started.toReversed());
  const places = await Promise.all(databases.map(({ url }) => countOf(url, started)));
  expect(places.reduce((sum, count) => sum + count)).toBe(3);
  expect(places.filter((count) => count > 0).length).toBeGreaterThan(1);
  expect((await operator(service, "GET", "/onboardings/counts")).body).toMatchObject({ draft: 3 });
});

/** How many of the applications a database has. */
async function countOf(url: string, accountIds: readonly string[]): Promise<number> {
  const { sql, close } = connect({ url, connections: 1, role: null });
  const rows = await sql`select from onboardings where account_id = any(${accountIds as string[]})`;
  await close();
  return rows.length;
}

async function missingCells(path = "/orders?limit=5"): Promise<string | null> {
  const headers = { authorization: `Bearer ${service.operatorKey}` };
  return (await fetch(`${service.url}/api/operator/v1${path}`, { headers })).headers.get("corprail-missing-cells");
}

test.each([2, 1, 0])("while cell %i is down, only its accounts are refused, and they are served again afterwards", async (down) => {
  proxyOf(down).refuse();
  await until("its account is refused", async () => ((await recharge(clientOf(down), `down-${down}`)).status === 503 ? true : null));
  for (const cell of [0, 1, 2].filter((one) => one !== down))
    for (const step of [1, 2, 3])
      expect(await recharge(clientOf(cell), `while-${down}-${step}`)).toMatchObject({ body: { status: "SUCCESS" } });
  if (down !== 0) {
    expect((await operator(service, "GET", "/orders?limit=5")).status).toBe(200);
    expect(await missingCells()).toBe(String(down));
    const { status, body } = await operator(service, "GET", "/audit?limit=5");
    expect([status, (body["items"] as JsonRecord[]).length]).toEqual([200, 5]);
    expect(await missingCells("/audit?limit=5")).toBe(String(down));
    expect((await operator(service, "GET", "/ledger/check")).status).toBe(503);
  }
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  proxyOf(down).open();
  await until("its account is served", async () => ((await recharge(clientOf(down), `up-${down}`)).status === 200 ? true : null));
  await until("lists are complete", async () => (await missingCells()) === "none");
});

test("a process that is not told the address of a cell does not start, nor one whose cells are exchanged", async () => {
  const { CORPRAIL_CELLS: cells = "", ...others } = environment;
  const [one = "", two = ""] = cells.split(" ");
  const folder = { CORPRAIL_DATA_DIR: service.dataFolder, CORPRAIL_PORT: "0" };
  const forgetful = launch({ ...others, ...folder, CORPRAIL_CELLS: one });
  expect((await forgetful.exited).code).toBe(1);
  expect(forgetful.errors()).toContain("cell 2, which CORPRAIL_CELLS does not name");
  const exchanged = launch({ ...others, ...folder, CORPRAIL_CELLS: `1=${two.slice(2)} 2=${one.slice(2)}` });
  expect((await exchanged.exited).code).toBe(1);
  expect(exchanged.errors()).toContain("The database that CORPRAIL_CELLS names as cell 1 is cell 2.");
});

test("a process starts while a cell is down, and serves the cell when it is back", async () => {
  await service.stop();
  proxyOf(2).refuse();
  service = await startService({ ...environment, CORPRAIL_DATA_DIR: service.dataFolder });
  expect(await recharge(clientOf(1), "restarted")).toMatchObject({ body: { status: "SUCCESS" } });
  expect((await recharge(clientOf(2), "restarted")).status).toBe(503);
  proxyOf(2).open();
  await until("cell 2 is served", async () => ((await recharge(clientOf(2), "restarted-2")).status === 200 ? true : null));
});
