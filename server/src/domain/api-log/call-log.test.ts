import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { accountWith } from "../../api/client/gate/testing/account.ts";
import { randomIds } from "../../platform/core/ids.ts";
import { connect } from "../../platform/db/connection.ts";
import { type TestDatabase, testDatabase } from "../../testing/database.ts";
import { WAIT_MILLISECONDS } from "../../testing/deadline.ts";
import { createCallLog } from "./call-log.ts";
import { listCalls } from "./read-calls.ts";
import { countSigned, readRefusedSignature, readUsage } from "./read-usage.ts";
import { storedReference } from "./store.ts";
import { aCall, addressOf, allowing } from "./testing/calls.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const ids = randomIds();
const warned: object[] = [];
const log = { warn: (details: object) => void warned.push(details) };
const open = (mostWaiting?: number) => createCallLog({ sql: database.sql, log, ...(mostWaiting === undefined ? {} : { mostWaiting }) });
const list = async (accountId: string) => (await listCalls(database.sql, accountId, {}, { after: null, limit: 5_000 })).rows;
const LINES = { method: "GET", path: "/p", canonicalQuery: "a=1", bodySha256: "e3", timestamp: "1", nonce: "n", reason: "Not right." };

test("what was recorded is written as it was, and is there without anybody asking for a flush", async () => {
  const accountId = ids.account();
  const calls = open();
  const call = aCall({
    accountId,
    method: "POST",
    path: "/api/corp/v1/recharge",
    status: 402,
    error: "insufficient_balance",
    code: 126,
    milliseconds: 12.34,
    reference: "u-1",
    orderId: "O1",
    signedBy: { how: "old_secret", credentialId: "C7" },
  });
  calls.record(call);
  await vi.waitUntil(async () => (await list(accountId)).length > 0, WAIT_MILLISECONDS);
  const [row] = await list(accountId);
  expect(row).toMatchObject({
    method: "POST",
    path: "/api/corp/v1/recharge",
    status: 402,
    error: "insufficient_balance",
    code: 126,
    address: "10.0.0.1",
    reference: "u-1",
    order_id: "O1",
    signed: "old_secret",
    credential_id: "C7",
    times: 1,
    request_id: call.requestId,
  });
  expect(row?.milliseconds).toBeCloseTo(12.34);
  expect(row?.at.getTime()).toBe(call.at);
  await calls.close();
});

test("more than a statement holds are written all, and closing writes what waits", async () => {
  const accountId = ids.account();
  const calls = open();
  for (let place = 0; place < 4_500; place++) calls.record(aCall({ accountId }));
  await calls.close();
  expect(calls.waiting()).toBe(0);
  expect(await list(accountId)).toHaveLength(4_500);
});

test("while the database does not take them the oldest are dropped, counted and logged; the rest is written when it does", async () => {
  const accountId = ids.account();
  const before = warned.length;
  const calls = open(50);
  for (let place = 0; place < 120; place++) calls.record(aCall({ accountId, reference: `u-${place}` }));
  expect(calls.waiting()).toBeLessThanOrEqual(50);
  expect(calls.dropped()).toBe(120 - calls.waiting());
  expect(warned.length).toBeGreaterThan(before);
  await calls.close();
  const kept = (await list(accountId)).map((row) => row.reference);
  expect(kept).toContain("u-119");
  expect(kept).not.toContain("u-0");
});

test("a lost answer loses nothing and doubles nothing: what may be there already is written by the next flush, each once", async () => {
  const accountId = ids.account();
  let failures = 1;
  const flaky = new Proxy(database.sql, {
    get: (target, name) => {
      const value = Reflect.get(target, name) as unknown;
      if (name !== "begin") return value;
      return async (...args: readonly unknown[]) => {
        const done: unknown = await Reflect.apply(value as () => unknown, target, args);
        // The transaction is through, and its answer is lost.
        if (failures-- > 0) throw Object.assign(new Error("lost"), { code: "CONNECTION_CLOSED" });
        return done;
      };
    },
  });
  const calls = createCallLog({ sql: flaky, log });
  calls.record(aCall({ accountId }));
  await expect(calls.flush()).rejects.toThrow("lost");
  calls.record(aCall({ accountId }));
  await calls.close();
  expect(await list(accountId)).toHaveLength(2);
  expect(calls.dropped()).toBe(0);
});

test.each(["before its rows were taken", "while they were being taken"])(
  "a connection that dies %s is survived: the calls come with the next flush",
  async (when) => {
    const accountId = ids.account();
    const call = aCall({ accountId });
    const own = connect({ url: database.url, connections: 1, role: "corprail_app" });
    const owner = connect({ url: database.url, connections: 1, role: null });
    const [row] = await own.sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const calls = createCallLog({ sql: own.sql, log });
    calls.record(call);
    await owner.sql
      .begin(async (tx) => {
        // Keeps the copy from going on: at the table's door, or at a row that somebody else may be about to write.
        if (when.startsWith("before")) await tx`lock table api_calls in access exclusive mode`;
        else
          await tx`insert into api_calls (account_id, at, request_id, method, path, status, milliseconds, address, signed, times)
        values (${accountId}, ${new Date(call.at)}, ${call.requestId}, 'GET', '/', 200, 1, '', 'none', 1)`;
        const flushed = expect(calls.flush()).rejects.toThrow();
        const waits = async () => (await tx`select 1 from pg_locks where pid = ${row?.pid ?? 0} and not granted`).length > 0;
        await vi.waitUntil(waits, WAIT_MILLISECONDS);
        await tx`select pg_terminate_backend(${row?.pid ?? 0})`;
        await flushed;
        throw new Error("roll back");
      })
      .catch((error: Error) => expect(error.message).toBe("roll back"));
    // The driver may not have noticed yet; the next flush comes a moment later, as in life.
    const flushes = () =>
      calls.flush().then(
        () => true,
        () => false,
      );
    await vi.waitUntil(flushes, WAIT_MILLISECONDS);
    await calls.close();
    expect(await list(accountId)).toHaveLength(1);
    await own.close();
    await owner.close();
  },
);

test("a call that no table can hold is dropped and counted, and does not keep later ones out", async () => {
  const accountId = ids.account();
  const calls = open();
  calls.record(aCall({ accountId, status: 10_000_000 }));
  await calls.flush();
  calls.record(aCall({ accountId }));
  await calls.close();
  expect(calls.dropped()).toBe(1);
  expect(await list(accountId)).toHaveLength(1);
});

test("a flood of refusals that no budget holds back is a few rows that say how many there were", async () => {
  const accountId = ids.account();
  const calls = open();
  for (let place = 0; place < 1_000; place++) calls.record(aCall({ accountId, status: 429, error: "rate_limited" }));
  for (let place = 0; place < 30; place++) calls.record(aCall({ accountId }));
  await calls.close();
  const rows = await list(accountId);
  const refused = rows.filter((row) => row.error !== null);
  expect(refused.length).toBeLessThanOrEqual(11);
  expect(refused.reduce((sum, row) => sum + row.times, 0)).toBe(1_000);
  expect(rows.filter((row) => row.error === null)).toHaveLength(30);
});

test("nothing secret is kept, whatever field a client wrote it into", async () => {
  const accountId = ids.account();
  const calls = open();
  const token = ids.secret("tok_live_");
  const at = Date.now();
  const call = aCall({
    accountId,
    at,
    isFault: true,
    path: `/api/${token}\0`,
    reference: token,
    lines: { ...LINES, canonicalQuery: `x=${token}\0`, nonce: token },
  });
  calls.record(call);
  await calls.close();
  const kept = JSON.stringify([
    await list(accountId),
    await readRefusedSignature(database.sql, accountId, { at: new Date(at), requestId: call.requestId }),
  ]);
  expect(kept).toContain("[redacted]");
  expect(kept).not.toContain(token.slice(9));
  const [bare, order] = [token.slice(9), "order-0b8f9c1e-4a52-4b6e-9d0c-2f1f5f0f7a11"];
  expect(storedReference(aCall({ reference: bare }))).toBe("[long]");
  expect(storedReference(aCall({ reference: bare.slice(0, 32) }))).toBe("[long]");
  expect(storedReference(aCall({ reference: "0a".repeat(32) }))).toBe("[long]");
  expect(storedReference(aCall({ reference: order }))).toBe(order);
  expect(storedReference(aCall({ reference: "0a".repeat(16) }))).toBe("0a".repeat(16));
  expect(storedReference(aCall({ reference: bare, orderId: "O1" }))).toBe(bare);
});

test("use is counted for what let the call in: token, allowlist entry, secret; refused callers by address", async () => {
  const accountId = ids.account();
  const account = accountWith({ accountId, allowlist: allowing("10.0.0.0/8", "10.0.0.1", "192.0.2.7") });
  const calls = open();
  const at = Date.now();
  const secret = { how: "secret", credentialId: "C1" } as const;
  calls.record(aCall({ account, at: at - 2_000, signedBy: secret }));
  calls.record(aCall({ account, at, address: addressOf("10.9.9.9"), signedBy: secret }));
  calls.record(aCall({ account, at: at - 1_000, signedBy: { how: "old_secret", credentialId: "C0" } }));
  calls.record(aCall({ account, at: at + 1, address: addressOf("203.0.113.5"), status: 403, error: "ip_not_allowed" }));
  calls.record(aCall({ account, at: at + 2, address: addressOf("203.0.113.5"), status: 403, error: "ip_not_allowed" }));
  await calls.flush();
  calls.record(aCall({ account, at: at - 60_000, signedBy: secret }));
  await calls.close();
  const usage = await readUsage(database.sql, accountId, ["token", "secret", "entry", "refused"]);
  const shown = usage.map((row) => `${row.kind} ${row.subject} ${row.last_at.getTime() - at} ${row.last_address} ${row.calls}`).toSorted();
  expect(shown).toEqual([
    "entry 10.0.0.0/8 0 10.9.9.9 4",
    "entry 10.0.0.1 -1000 10.0.0.1 3",
    "refused 203.0.113.5 2 203.0.113.5 2",
    "secret C0 -1000 10.0.0.1 1",
    "secret C1 0 10.9.9.9 3",
    "token T1 0 10.9.9.9 4",
  ]);
  const counted = await countSigned(database.sql, accountId, new Date(at - 86_400_000));
  expect([...counted].toSorted()).toEqual([
    ["C0", 1],
    ["C1", 3],
  ]);
});

test("of refused signatures an account keeps the latest two hundred", async () => {
  const [accountId, other] = [ids.account(), ids.account()];
  const calls = open();
  calls.record(aCall({ accountId: other, status: 401, error: "invalid_signature", lines: LINES }));
  for (let round = 0; round < 6; round++) {
    for (let place = 0; place < 45; place++)
      calls.record(
        aCall({ accountId, at: 1_800_000_000_000 + round * 100 + place, status: 401, error: "invalid_signature", lines: LINES }),
      );
    await calls.flush();
  }
  await calls.close();
  const rows = await database.sql<{ account_id: string; count: bigint; oldest: Date }[]>`
    select account_id, count(*), min(at) as oldest from api_refused_signatures group by account_id`;
  const mine = rows.find((row) => row.account_id === accountId);
  expect(Number(mine?.count)).toBe(200);
  expect(mine?.oldest.getTime()).toBeGreaterThan(1_800_000_000_000 + 40);
  expect(Number(rows.find((row) => row.account_id === other)?.count)).toBe(1);
});
