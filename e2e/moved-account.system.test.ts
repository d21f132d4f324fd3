import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type MoveContext, moveAccount } from "../server/src/domain/cells/move/move-account.ts";
import { randomIds } from "../server/src/platform/core/ids.ts";
import { connect } from "../server/src/platform/db/connection.ts";
import { migratedDatabase } from "../server/src/testing/database.ts";
import { startTcpProxy, type TcpProxy } from "../server/src/testing/tcp-proxy.ts";
import { until } from "./harness/deadline.ts";
import { type Client, change, type JsonRecord, newClient } from "./harness/operator.ts";
import { type Service, startService } from "./harness/service.ts";

const closers: (() => unknown)[] = [];
/** The process reaches home through it; the command does not. */
let homeProxy: TcpProxy;
let service: Service;
let cells: MoveContext["cells"];

beforeAll(async () => {
  const databases = await Promise.all([migratedDatabase(), migratedDatabase(), migratedDatabase()]);
  closers.push(...databases.map(({ drop }) => drop));
  const [home, one, two] = databases.map(({ url }) => url);
  const url = new URL(`${home}`);
  homeProxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  closers.push(homeProxy.close);
  url.port = String(homeProxy.port);
  service = await startService({
    ...{ CORPRAIL_DATABASE_URL: url.href, CORPRAIL_CELLS: `1=${one} 2=${two}`, CORPRAIL_SIMULATOR_DELAY_MS: "0" },
  });
  closers.push(() => rm(service.dataFolder, { recursive: true, force: true }));
  closers.push(() => service.stop());
  const connected = databases.map((database) => connect({ url: database.url, connections: 4, role: null }));
  closers.push(...connected.map(({ close }) => close));
  cells = connected.map(({ sql }, cell) => ({ cell, sql }));
});
afterAll(async () => {
  homeProxy?.open();
  for (const close of closers.toReversed()) await close();
});

type Reply = { readonly status: number; readonly body: JsonRecord };

async function call(token: string, path: string, body?: object): Promise<Reply> {
  const headers = { "x-api-token": token, "content-type": "application/json" };
  const request = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
  const reply = await fetch(`${service.url}/api/corp/v1${path}`, request);
  return { status: reply.status, body: (await reply.json()) as JsonRecord };
}

async function cellOf({ accountId }: Client): Promise<number> {
  const home = cells[0]?.sql ?? expect.fail("There is no home cell.");
  const [place] = await home<{ cell: number }[]>`select cell::int as cell from account_cells where account_id = ${accountId}`;
  return place?.cell ?? 0;
}

async function move({ accountId }: Client, toCell: number): Promise<void> {
  const moved = await moveAccount({ cells, ids: randomIds(), now: Date.now, actor: "test" }, accountId, toCell);
  expect(moved).toMatchObject({ kind: "done" });
}

test("a token that is replaced after its account was moved is unknown, and not refused as busy", async () => {
  const client = await newClient(service);
  await move(client, (await cellOf(client)) === 1 ? 2 : 1);
  await until("the account is served", async () => (await call(client.token, "/balance")).status === 200);
  await change(service, `/accounts/${client.accountId}/token`, { reason: "leaked" });
  await until("the old token is unknown", async () => (await call(client.token, "/balance")).status === 401);
});

test("a process that cannot reach home refuses an account that has moved, and never says that its orders do not exist", async () => {
  const client = await newClient(service);
  const from = await cellOf(client);
  expect([1, 2]).toContain(from);
  await change(service, `/accounts/${client.accountId}/wallet`, { amount: "1000.00", reference: "start", note: "" });
  const order = { account: "9876543000", operator: "AT", amount: "10.00", urid: "r1" };
  expect((await call(client.token, "/recharge", order)).body).toMatchObject({ status: "SUCCESS" });
  homeProxy.refuse();
  await until("the account is served without home", async () => (await call(client.token, "/recharge?urid=r1")).status === 200);
  await move(client, 3 - from);
  const replies = [
    await call(client.token, "/recharge?urid=r1"),
    await call(client.token, "/balance"),
    await call(client.token, "/recharge", order),
  ];
  expect(replies.map(({ status }) => status)).toEqual([503, 503, 503]);
  homeProxy.open();
  await until("the account is served again", async () => (await call(client.token, "/recharge?urid=r1")).status === 200);
});

test.each(["refuse", "hang"] as const)(
  "a process whose connections to home %s goes on serving the other accounts of the cell that an account moves to",
  async (failure) => {
    const [moved, stayed] = await clientsOfTwoCells();
    const to = await cellOf(stayed);
    homeProxy[failure]();
    onTestFinished(homeProxy.open);
    await until("the account is served without home", async () => (await call(stayed.token, "/balance")).status === 200);
    await move(moved, to);
    const replies: number[] = [];
    // Longer than a process may be without news from a cell.
    const end = performance.now() + 2_000;
    while (performance.now() < end) replies.push((await call(stayed.token, "/balance")).status);
    expect(new Set(replies)).toEqual(new Set([200]));
    homeProxy.open();
    await until("the moved account is served", async () => (await call(moved.token, "/balance")).status === 200);
  },
);

/** New clients, each in another cell beside home. */
async function clientsOfTwoCells(): Promise<readonly [Client, Client]> {
  const byCell = new Map<number, Client>();
  while (!byCell.has(1) || !byCell.has(2)) {
    const client = await newClient(service, { settings: { get_per_minute: 10_000 } });
    byCell.set(await cellOf(client), client);
  }
  return [byCell.get(1) ?? expect.fail("There is no client."), byCell.get(2) ?? expect.fail("There is no client.")];
}
