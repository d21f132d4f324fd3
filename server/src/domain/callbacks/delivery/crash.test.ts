import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { firstLine } from "../../../testing/first-line.ts";
import { createFixture, type Fixture, until } from "../testing/fixture.ts";
import { startNameServer } from "../testing/name-server.ts";
import { startReceiver, type TestReceiver } from "../testing/receiver.ts";

const WORKER = fileURLToPath(new URL("../testing/worker.mjs", import.meta.url));

let fixture: Fixture;
const receivers: TestReceiver[] = [];
const children: ChildProcess[] = [];
beforeEach(async () => {
  fixture = await createFixture();
});
afterEach(async () => {
  await Promise.all(children.splice(0).map(kill));
  await fixture.close();
  for (const receiver of receivers.splice(0)) await receiver.close();
});

async function receiverWith(...args: Parameters<typeof startReceiver>): Promise<TestReceiver> {
  const receiver = await startReceiver(...args);
  receivers.push(receiver);
  return receiver;
}

/** A worker in a separate process. */
async function childWorker(nameServer?: string): Promise<ChildProcess> {
  const { database, keyPath, clock } = fixture.settings;
  const clockOffsetSeconds = Math.round((clock.now() - Date.now()) / 1000);
  const options = JSON.stringify({ databaseUrl: database.url, keyPath, nameServer, clockOffsetSeconds });
  const child = spawn(process.execPath, [WORKER, options], { stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  await firstLine(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

const claimed = () =>
  until(async () => {
    const rows = await fixture.sql<{ callback_id: string }[]>`select callback_id from callback_claims`;
    return rows.length > 0 && rows;
  });

async function takeOver(ids: readonly string[]): Promise<void> {
  // The lease has expired by this worker's clock.
  fixture.settings.clock.advance(31_000);
  const worker = await fixture.worker();
  worker.wake();
  await Promise.all(ids.map((id) => until(async () => (await fixture.row(id)).state === "delivered")));
}

test("a worker killed before the send has sent nothing, and the next worker sends it once", async () => {
  const names = await startNameServer();
  names.names.set("receiver.test", "silent");
  const receiver = await receiverWith();
  const account = await fixture.account({ status: `http://receiver.test:${receiver.port}/cb` });
  const id = await fixture.tell(account);
  const child = await childWorker(names.address);
  await claimed();
  await kill(child);
  await fixture.sql`update accounts set callback_url = ${receiver.url}`;
  await takeOver([id]);
  expect(receiver.got).toHaveLength(1);
  await names.close();
});

test("after a kill during the send only callbacks in flight are repeated, and none is lost", async () => {
  let isHung = true;
  const receiver = await receiverWith(() => (isHung ? new Promise(() => {}) : 200));
  const account = await fixture.account({ status: receiver.url });
  const ids: string[] = [];
  for (let count = 0; count < 20; count++) ids.push(await fixture.tell(account));
  const child = await childWorker();
  await receiver.wait(() => true, 8);
  await kill(child);
  isHung = false;
  await takeOver(ids);
  const times = new Map<string, number>();
  for (const { query } of receiver.got) times.set(query["orderid"] ?? "", (times.get(query["orderid"] ?? "") ?? 0) + 1);
  expect(times.size).toBe(20);
  expect([...times.values()].filter((count) => count > 1)).toHaveLength(8);
  expect(Math.max(...times.values())).toBe(2);
  expect(new Set(receiver.got.map((one) => one.query["nonce"])).size).toBe(28);
});

test("after a kill between the answer and its recording the callback is repeated with another ts and nonce", async () => {
  const receiver = await receiverWith();
  const account = await fixture.account({ status: receiver.url });
  const id = await fixture.tell(account);
  const free = await fixture.tell(account);
  const held = await fixture.sql.reserve();
  const child = await childWorker();
  await until(async () => (await fixture.row(free)).state === "delivered");
  const last = await fixture.tell(account, { at: fixture.settings.clock.now() + 2_000 });
  // Locked until the process is gone, so that its answer cannot be recorded.
  await held`begin`;
  await held`lock table callback_attempts in exclusive mode`;
  await receiver.wait((one) => one.query["orderid"] === `O${last}`);
  await kill(child);
  await held`rollback`;
  held.release();
  expect(await fixture.row(last)).toMatchObject({ state: "waiting", attempts: 0 });
  await takeOver([id, free, last]);
  const twice = receiver.got.filter((one) => one.query["orderid"] === `O${last}`);
  expect(twice).toHaveLength(2);
  expect(twice[0]?.query["nonce"]).not.toBe(twice[1]?.query["nonce"]);
  expect(twice[0]?.query["ts"]).not.toBe(twice[1]?.query["ts"]);
});

test("after repeated kills under load every callback arrives, and each kill repeats at most the callbacks in flight", async () => {
  const receiver = await receiverWith();
  const accounts = await Promise.all(Array.from({ length: 5 }, () => fixture.account({ status: receiver.url })));
  const ids = await Promise.all(accounts.flatMap((account) => Array.from({ length: 60 }, () => fixture.tell(account))));
  for (const seen of [20, 120, 220]) {
    const child = await childWorker();
    await receiver.wait(() => true, seen);
    await kill(child);
    // Until they expire, the dead worker's claims fill the targets' slots.
    fixture.settings.clock.advance(31_000);
  }
  await takeOver(ids);
  const orders = receiver.got.map((one) => one.query["orderid"]);
  expect(new Set(orders).size).toBe(300);
  expect(orders.length - 300).toBeLessThanOrEqual(3 * 5 * 8);
});

test("a worker survives the termination of its database connections", async () => {
  const receiver = await receiverWith();
  const account = await fixture.account({ status: receiver.url });
  const worker = await fixture.worker();
  await fixture.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.catch(
    () => {},
  );
  const id = await until(async () => await fixture.tell(account).catch(() => null));
  worker.wake();
  await until(async () => (await fixture.row(id).catch(() => null))?.state === "delivered");
});
