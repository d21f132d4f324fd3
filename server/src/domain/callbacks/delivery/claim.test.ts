import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../../../platform/db/connection.ts";
import { createFixture, type Fixture, type TestAccount } from "../testing/fixture.ts";
import { claimCallbacks, type Finish, finishCallbacks, renewCallbacks, repairFutureTimes } from "./store.ts";

const LIMITS = { freeSlots: 256, freeTroubledSlots: 128, slotsPerTarget: 8, leaseMilliseconds: 30_000 };
const URL = "http://127.0.0.1:9/cb";

let fixture: Fixture;
let now: number;
beforeAll(async () => {
  fixture = await createFixture();
  now = Date.now();
});
afterAll(() => fixture.close());

type Claimed = Awaited<ReturnType<typeof claimCallbacks>>;

const tell: Fixture["tell"] = (account, fields) => fixture.tell(account, { at: now, ...fields });

let claims = 0;
async function claim(account: TestAccount | null, at = now, limits = LIMITS): Promise<{ id: string; rows: Claimed; ids: string[] }> {
  const id = `claim${++claims}`;
  const rows = (await claimCallbacks(fixture.sql, at, id, limits)).filter((row) => !account || row.account_id === account.accountId);
  return { id, rows, ids: rows.map((row) => row.callback_id).sort() };
}

function finishOf(claimId: string, row: Claimed[number], change: Partial<Finish> = {}): Finish {
  return {
    accountId: row.account_id,
    callbackId: row.callback_id,
    kind: row.kind,
    claimId,
    httpStatus: 200,
    error: null,
    url: row.url,
    milliseconds: 5,
    startedAt: now,
    nextAt: now + 5_000,
    ...change,
  };
}

const FAILED = { httpStatus: 503, error: "The receiver answered 503." };

async function finishAll(taken: { id: string; rows: Claimed }, change: Partial<Finish> = {}, at = now) {
  return await finishCallbacks(
    fixture.sql,
    at,
    taken.rows.map((row) => finishOf(taken.id, row, change)),
  );
}

async function settleRest(account: TestAccount): Promise<void> {
  await fixture.sql`delete from callback_claims where account_id = ${account.accountId}`;
  await fixture.sql`update callbacks set state = 'delivered' where account_id = ${account.accountId}`;
}

test("a claim returns everything the message needs, with the current settings", async () => {
  const account = await fixture.account({ status: `${URL}?shop=1` });
  const id = await tell(account);
  const { rows } = await claim(account);
  expect(rows).toEqual([
    expect.objectContaining({
      callback_id: id,
      url: `${URL}?shop=1`,
      version: 2,
      kind: "status",
      amount: 105000n,
      attempts: 0,
      retry_step: 0,
    }),
  ]);
  expect(rows[0]).toMatchObject({ ts: BigInt(Math.floor(now / 1000)), credential_id: expect.any(String), sealed: expect.any(Buffer) });
  await settleRest(account);
});

test("a claimed callback is not claimed again until its lease expires", async () => {
  const account = await fixture.account({ status: URL });
  const id = await tell(account);
  const first = await claim(account);
  expect(first.ids).toEqual([id]);
  expect((await claim(account, now + 29_999)).ids).toEqual([]);
  expect((await claim(account, now + 30_000)).ids).toEqual([id]);
  await settleRest(account);
});

test("a result that arrives after another process took the lease over changes nothing", async () => {
  const account = await fixture.account({ status: URL });
  const id = await tell(account);
  const slow = await claim(account);
  const second = await claim(account, now + 31_000);
  expect(await finishAll(slow)).toMatchObject({ counted: [false] });
  expect(await fixture.row(id)).toMatchObject({ state: "waiting", attempts: 0, claim_id: second.id });
  expect(await finishAll(second, FAILED)).toMatchObject({ counted: [true] });
  expect(await finishAll(second)).toMatchObject({ counted: [false] });
  expect(await fixture.row(id)).toMatchObject({ state: "waiting", attempts: 1, last_http_status: 503 });
  const attempts = await fixture.sql`select attempt from callback_attempts where callback_id = ${id}`;
  expect(attempts).toHaveLength(1);
  await settleRest(account);
});

test("at most eight attempts to a target are in flight over all processes", async () => {
  const account = await fixture.account({ status: URL });
  for (let count = 0; count < 30; count++) await tell(account);
  const claimed = await Promise.all(Array.from({ length: 6 }, () => claim(account)));
  expect(claimed.flatMap((one) => one.ids)).toHaveLength(8);
  expect(new Set(claimed.flatMap((one) => one.ids)).size).toBe(8);
  expect((await claim(account)).ids).toHaveLength(0);
  const taken = claimed.find((one) => one.rows.length > 0);
  if (!taken) throw new Error("nothing was taken");
  await finishAll({ id: taken.id, rows: taken.rows.slice(0, 3) });
  expect((await claim(account)).ids).toHaveLength(3);
  await settleRest(account);
});

test("concurrent workers claim every row exactly once", async () => {
  const accounts = await Promise.all(Array.from({ length: 12 }, () => fixture.account({ status: URL })));
  for (const account of accounts) for (let count = 0; count < 5; count++) await tell(account);
  const mine = new Set(accounts.map((account) => account.accountId));
  const seen: string[] = [];
  while (seen.length < 60) {
    const rounds = await Promise.all(Array.from({ length: 8 }, () => claim(null, now, { ...LIMITS, freeSlots: 7 })));
    seen.push(...rounds.flatMap((round) => round.rows.filter((row) => mine.has(row.account_id)).map((row) => row.callback_id)));
  }
  expect(new Set(seen).size).toBe(60);
  for (const account of accounts) await settleRest(account);
});

test("a later callback of an order waits until the earlier one is delivered", async () => {
  const account = await fixture.account({ status: URL, complaint: URL });
  const success = await tell(account, { orderId: "ORDER1", status: "SUCCESS", at: now - 2000 });
  const failed = await tell(account, { orderId: "ORDER1", status: "FAILED", at: now - 1000 });
  const complaint = await tell(account, { orderId: "ORDER1", kind: "complaint", at: now - 900 });
  const first = await claim(account);
  expect(first.ids).toEqual([success, complaint].sort());
  await finishAll(first, FAILED);
  const six = now + 6_000;
  // Deferred while the first one waits, so that it does not block others.
  expect((await claim(account)).ids).toEqual([]);
  expect((await fixture.row(failed)).next_at.getTime()).toBeGreaterThan(now);
  expect((await claim(account, now + 4_000)).ids).toEqual([]);
  expect((await fixture.row(failed)).next_at.getTime()).toBe(now + 5_000);
  const second = await claim(account, six);
  expect(second.ids).toEqual([success, complaint].sort());
  expect((await claim(account, six)).ids).toEqual([]);
  await finishAll(second, {}, six);
  expect((await claim(account, six)).ids).toEqual([failed]);
  await settleRest(account);
});

test("many blocked callbacks do not hide those behind them", async () => {
  const account = await fixture.account({ status: URL });
  for (let count = 0; count < 60; count++) await tell(account, { orderId: `BLOCK${count}`, at: now - 9000 + count });
  await fixture.sql`update callbacks set next_at = ${new Date(now + 3_600_000)}, retry_step = 5 where account_id = ${account.accountId}`;
  for (let count = 0; count < 60; count++) await tell(account, { orderId: `BLOCK${count}`, status: "FAILED", at: now - 5000 + count });
  const free = await tell(account, { at: now - 1 });
  const seen: string[] = [];
  for (let round = 0; round < 4; round++) seen.push(...(await claim(account)).ids);
  expect(seen).toEqual([free]);
  await settleRest(account);
});

test("callbacks blocked behind an open breaker do not hide first attempts", async () => {
  const account = await fixture.account({ status: URL });
  for (let count = 0; count < 60; count++) await tell(account, { orderId: `HELD${count}`, at: now - 9000 + count });
  await fixture.sql`update callbacks set retry_step = 5 where account_id = ${account.accountId}`;
  await fixture.sql`
    insert into callback_targets (account_id, kind, settings_version, failures, probe_at)
    select account_id, 'status', callback_settings_version, 12, ${new Date(now + 50_000)} from accounts where account_id = ${account.accountId}`;
  for (let count = 0; count < 60; count++) await tell(account, { orderId: `HELD${count}`, status: "FAILED", at: now - 5000 + count });
  const free = await tell(account, { at: now - 1 });
  const seen: string[] = [];
  for (let round = 0; round < 2; round++) seen.push(...(await claim(account)).ids);
  expect(seen).toEqual([free]);
  await settleRest(account);
});

test("a callback that is due before the earlier one of its order is sent after it", async () => {
  const account = await fixture.account({ status: URL });
  const earlier: string[] = [];
  for (let count = 0; count < 60; count++)
    earlier.push(await tell(account, { orderId: `LATE${count}`, at: now - 9000 + count, nextAt: now - 1 }));
  for (let count = 0; count < 60; count++) await tell(account, { orderId: `LATE${count}`, status: "FAILED", at: now - 5000 + count });
  await claim(account);
  const { ids } = await claim(account);
  expect(ids).toHaveLength(8);
  expect(earlier).toEqual(expect.arrayContaining(ids));
  await settleRest(account);
});

test("callbacks of accounts that are paused or have no URL are skipped, and delivered afterwards", async () => {
  const paused = await fixture.account({ status: URL });
  const parked = await fixture.account({ status: URL });
  await tell(paused);
  await tell(parked);
  await fixture.change(parked.accountId, { callbackUrl: null });
  await fixture.sql`update accounts set callbacks_paused = true where account_id = ${paused.accountId}`;
  expect((await claim(null)).rows).toEqual([]);
  await fixture.sql`update accounts set callbacks_paused = false where account_id = ${paused.accountId}`;
  await fixture.change(parked.accountId, { callbackUrl: URL });
  expect(new Set((await claim(null)).rows.map((row) => row.account_id))).toEqual(new Set([paused.accountId, parked.accountId]));
  await settleRest(paused);
  await settleRest(parked);
});

test("each attempt has a later ts than the previous one, also within one second", async () => {
  const account = await fixture.account({ status: URL });
  await tell(account);
  const stamps: bigint[] = [];
  for (let attempt = 0; attempt < 5; attempt++) {
    const taken = await claim(account);
    stamps.push(...taken.rows.map((row) => row.ts));
    await finishAll(taken, { ...FAILED, nextAt: now });
  }
  const first = BigInt(Math.floor(now / 1000));
  expect(stamps).toEqual([0n, 1n, 2n, 3n, 4n].map((step) => first + step));
  // After the clock was set back an hour, a current ts matters more than a later one.
  expect((await claim(account, now - 3_600_000)).rows).toEqual([]);
  await fixture.sql`update callbacks set next_at = ${new Date(now - 7_200_000)} where account_id = ${account.accountId}`;
  expect((await claim(account, now - 3_600_000)).rows[0]?.ts).toBe(first - 3600n);
  await settleRest(account);
});

test("changed settings make exactly the waiting callbacks due, including those that fail after the change", async () => {
  const account = await fixture.account({ status: URL });
  const other = await fixture.account({ status: URL });
  const [waiting, flying] = [await tell(account, { at: now - 10 }), await tell(account, { at: now - 5 })];
  const unrelated = await tell(other);
  const first = await claim(null);
  const only = { id: first.id, rows: first.rows.filter((row) => row.callback_id !== flying) };
  await finishAll(only, { ...FAILED, nextAt: now + 60_000 });
  expect((await claim(null)).ids).toEqual([]);
  await fixture.change(account.accountId, { callbackUrl: `${URL}2` });
  await renewCallbacks(fixture.sql, now, "all");
  const second = await claim(null);
  expect(second.rows.map((row) => [row.callback_id, row.url])).toEqual([[waiting, `${URL}2`]]);
  const inFlight = first.rows.filter((row) => row.callback_id === flying);
  await finishAll({ id: first.id, rows: inFlight }, { ...FAILED, nextAt: now + 60_000 });
  expect((await claim(null)).ids).toEqual([flying]);
  expect(await fixture.row(flying)).toMatchObject({ retry_step: 0, attempts: 1 });
  expect((await fixture.row(unrelated)).next_at.getTime()).toBe(now + 60_000);
  await settleRest(account);
  await settleRest(other);
});

/** A transaction of another session that stays open. */
async function lock(statement: string): Promise<{ readonly release: () => Promise<void> }> {
  const stranger = connect({ url: fixture.settings.database.url, connections: 1, role: null });
  await stranger.sql.unsafe(`begin; ${statement} for update`);
  return {
    release: async () => {
      await stranger.sql.unsafe("rollback");
      await stranger.close();
    },
  };
}

const lockCallback = (callbackId: string) => lock(`select from callbacks where callback_id = '${callbackId}'`);

test("after a change of settings a locked callback delays no other and follows when it is unlocked", async () => {
  const [account, other] = [await fixture.account({ status: URL }), await fixture.account({ status: URL })];
  const [locked, free, unrelated] = [await tell(account, { at: now - 2 }), await tell(account), await tell(other)];
  await finishAll(await claim(null), { ...FAILED, nextAt: now + 60_000 });
  for (const { accountId } of [account, other]) await fixture.change(accountId, { callbackUrl: `${URL}2` });
  const stranger = await lockCallback(locked);
  expect(await renewCallbacks(fixture.sql, now, "all")).toBe(2);
  expect((await claim(null)).ids).toEqual([free, unrelated].sort());
  expect(await renewCallbacks(fixture.sql, now, "all")).toBe(0);
  await stranger.release();
  expect(await renewCallbacks(fixture.sql, now, "all")).toBe(1);
  expect((await claim(null)).ids).toEqual([locked]);
  expect(await renewCallbacks(fixture.sql, now, "all")).toBe(0);
  await settleRest(account);
  await settleRest(other);
});

test("a receiver whose row is locked still gets its callbacks, and its breaker closes when it is unlocked", async () => {
  const account = await fixture.account({ status: URL });
  const waiting = await tell(account);
  for (let failures = 0; failures < 10; failures++) await finishAll(await claim(account), { ...FAILED, nextAt: now });
  await fixture.change(account.accountId, { callbackUrl: `${URL}2` });
  const probe = async () =>
    (await fixture.sql`select probe_at from callback_targets where account_id = ${account.accountId}`)[0]?.["probe_at"];
  const stranger = await lock(`select from callback_targets where account_id = '${account.accountId}'`);
  expect(await renewCallbacks(fixture.sql, now, "all")).toBe(1);
  expect(await probe()).toBeInstanceOf(Date);
  await stranger.release();
  await renewCallbacks(fixture.sql, now, "all");
  expect(await probe()).toBeNull();
  expect((await claim(account)).ids).toEqual([waiting]);
  await settleRest(account);
});

test("times from a wrong clock are fixed, except in locked rows, which are reported", async () => {
  const account = await fixture.account({ status: URL });
  const far = { nextAt: now + 48 * 3_600_000 };
  const [locked, free] = [await tell(account, { at: now - 2, ...far }), await tell(account, far)];
  const fix = () => repairFutureTimes(fixture.sql, now, [5, 15], 60);
  const stranger = await lockCallback(locked);
  expect(await fix()).toEqual({ fixed: 1, isLeft: true });
  expect((await claim(account)).ids).toEqual([free]);
  await stranger.release();
  expect(await fix()).toEqual({ fixed: 1, isLeft: false });
  expect((await claim(account)).ids).toEqual([locked]);
  await settleRest(account);
});
