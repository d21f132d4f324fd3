import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import postgres from "postgres";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { migratedDatabase } from "../server/src/testing/database.ts";
import { startTcpProxy, type TcpProxy } from "../server/src/testing/tcp-proxy.ts";
import { until } from "./harness/deadline.ts";
import { type Client, change, newClient, operator } from "./harness/operator.ts";
import { launch, listeningPort, type Service, startService } from "./harness/service.ts";

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let proxy: TcpProxy;
let service: Service;
let client: Client;
let other: Client;

beforeAll(async () => {
  database = await migratedDatabase();
  proxy = await newProxy();
  service = await startService({ CORPRAIL_DATABASE_URL: urlThrough(proxy) });
  client = await newClient(service);
  other = await newClient(service);
  for (const { accountId } of [client, other])
    await change(service, `/accounts/${accountId}/wallet`, { amount: "1000", reference: "first", note: "" });
});
afterAll(async () => {
  proxy.open();
  await service.stop();
  await proxy.close();
  await database.drop();
  await rm(service.dataFolder, { recursive: true, force: true });
});

function newProxy(): Promise<TcpProxy> {
  const { hostname, port } = new URL(database.url);
  return startTcpProxy({ host: hostname, port: Number(port) });
}

function urlThrough({ port }: TcpProxy): string {
  const url = new URL(database.url);
  url.port = String(port);
  return url.href;
}

/** A session of somebody else, which holds locks until they are released or the test ends. */
async function lockedBy(statement: string): Promise<{ readonly release: () => Promise<void> }> {
  const session = postgres(database.url, { max: 1, onnotice: () => {} });
  onTestFinished(() => session.end({ timeout: 0 }));
  await session.unsafe(`begin; ${statement}`);
  return { release: async () => void (await session.unsafe("rollback")) };
}

async function recharge({ token }: Client, urid: string) {
  const reply = await fetch(`${service.url}/api/corp/v1/recharge`, {
    method: "POST",
    headers: { "x-api-token": token, "content-type": "application/json" },
    body: JSON.stringify({ account: "9876543000", operator: "AT", amount: "10.00", urid }),
  });
  return { status: reply.status, retryAfter: reply.headers.get("retry-after"), body: (await reply.json()) as Record<string, unknown> };
}

async function readiness() {
  const reply = await fetch(`${service.url}/readyz`);
  return { status: reply.status, body: await reply.json() };
}

const BUSY = { status: 503, retryAfter: "2", body: { status: "rejected", error: "busy", code: 140 } };

test.each(["hang", "refuse"] as const)(
  "while the database does not answer (%s) every surface says 503, and goes on by itself",
  async (fault) => {
    proxy[fault]();
    expect(await recharge(client, `U-${fault}`)).toMatchObject(BUSY);
    await until("the service notices", async () => (await readiness()).status === 503);
    expect(await readiness()).toEqual({ status: 503, body: { status: "not ready", reason: "the database does not answer" } });
    expect(await recharge(client, `U-${fault}`)).toMatchObject(BUSY);
    expect(await operator(service, "GET", "/accounts")).toMatchObject({ status: 503, body: { error: "busy" } });
    for (const site of ["portal", "console"]) {
      const reply = await fetch(`${service.url}/${site}/api/session`);
      expect({ status: reply.status, body: await reply.json() }).toMatchObject({ status: 503, body: { error: "busy" } });
    }
    proxy.open();
    await until("the service is ready again", async () => (await readiness()).status === 200);
    await until("it answers", async () => (await recharge(client, `U-${fault}`)).body["status"] === "SUCCESS");
  },
);

test("a service whose database does not answer when it starts waits for it", async () => {
  // Not the proxy of the other tests, whose service must not lose its connections.
  const ownProxy = await newProxy();
  onTestFinished(ownProxy.close);
  ownProxy.hang();
  const starting = launch({ CORPRAIL_DATABASE_URL: urlThrough(ownProxy), CORPRAIL_PORT: "0", CORPRAIL_DATA_DIR: service.dataFolder });
  const isWaiting = () => /"service not ready: the database does not answer\. The start is retried every second"/.test(starting.output());
  await until("it waits", () => isWaiting() || starting.hasExited());
  expect(isWaiting()).toBe(true);
  ownProxy.open();
  const port = await listeningPort(starting);
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  starting.signal("SIGTERM");
  expect(await starting.exited).toEqual({ code: 0, signal: null });
});

test("a locked wallet keeps its own account waiting only, and the service stays ready", async () => {
  const lock = await lockedBy(`select from wallets where account_id = '${client.accountId}' for update`);
  const urid = randomUUID();
  const locked = recharge(client, urid);
  expect(await recharge(other, urid)).toMatchObject({ status: 200, body: { status: "SUCCESS" } });
  expect(await locked).toMatchObject(BUSY);
  expect((await readiness()).status).toBe(200);
  await lock.release();
  expect(await recharge(client, urid)).toMatchObject({ status: 200, body: { status: "SUCCESS" } });
});

test("while nothing is committed any more the service says so at /readyz, and is ready again by itself", async () => {
  const lock = await lockedBy("lock table wallets in access exclusive mode");
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  const orders = Promise.all(
    [client, other].map(async (one) => {
      while (!isOver) expect(await recharge(one, randomUUID())).toMatchObject(BUSY);
    }),
  );
  const reason = "nothing is committed: waiting writes are blocked by locks";
  await until("the service notices", async () => (await readiness()).status === 503);
  expect(await readiness()).toEqual({ status: 503, body: { status: "not ready", reason } });
  isOver = true;
  await orders;
  await lock.release();
  await until("the service is ready again", async () => (await readiness()).status === 200);
  expect(await recharge(client, randomUUID())).toMatchObject({ status: 200, body: { status: "SUCCESS" } });
});
