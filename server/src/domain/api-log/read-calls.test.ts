import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { WAIT_MILLISECONDS } from "../../testing/deadline.ts";
import { newAccount, type TestSettings, testSettings } from "../accounts/testing/settings.ts";
import type { Call } from "./call.ts";
import { createCallLog } from "./call-log.ts";
import { type CallFilter, groupErrors, listCalls, readCall, tailCalls } from "./read-calls.ts";
import { sweepCallDetails } from "./sweep-calls.ts";
import { aCall, addressOf } from "./testing/calls.ts";

let settings: TestSettings;
beforeAll(async () => {
  settings = await testSettings();
});
afterAll(() => settings.close());

async function record(...calls: readonly Call[]): Promise<void> {
  const log = createCallLog({ sql: settings.database.sql, log: { warn: () => {} } });
  for (const call of calls) log.record(call);
  await log.close();
}

const list = async (accountId: string, filter: CallFilter = {}) =>
  (await listCalls(settings.database.sql, accountId, filter, { after: null, limit: 100 })).rows;

test("pages go through all calls once, newest first, also those of one moment", async () => {
  const { accountId } = await newAccount(settings.ctx);
  const at = Date.now();
  await record(...Array.from({ length: 25 }, (_, place) => aCall({ accountId, at: at - Math.floor(place / 5) })));
  const seen: string[] = [];
  let after = null;
  do {
    const page = await listCalls(settings.database.sql, accountId, {}, { after, limit: 4 });
    seen.push(...page.rows.map((row) => `${row.at.getTime()} ${row.request_id}`));
    after = page.next;
  } while (after !== null);
  expect(seen).toHaveLength(25);
  expect(seen).toEqual([...new Set(seen)].toSorted().toReversed());
});

test("each filter shows what matches it, and never another account's calls", async () => {
  const [{ accountId }, other] = [await newAccount(settings.ctx), await newAccount(settings.ctx)];
  const at = Date.now();
  await record(
    aCall({ accountId, at: at - 3_000, method: "POST", path: "/r", status: 401, error: "invalid_signature", reference: "u1" }),
    aCall({ accountId, at: at - 2_000, method: "GET", path: "/r", status: 404, error: "not_found", reference: "u2" }),
    aCall({ accountId, at: at - 1_000, method: "GET", path: "/b" }),
    aCall({ accountId: other.accountId, at, reference: "u1", status: 404 }),
  );
  const found = async (filter: CallFilter) => (await list(accountId, filter)).map((row) => row.reference);
  expect(await found({})).toEqual([null, "u2", "u1"]);
  expect(await found({ method: "POST" })).toEqual(["u1"]);
  expect(await found({ path: "/r" })).toEqual(["u2", "u1"]);
  expect(await found({ status: 404 })).toEqual(["u2"]);
  expect(await found({ status: 4 })).toEqual(["u2", "u1"]);
  expect(await found({ error: "not_found" })).toEqual(["u2"]);
  expect(await found({ reference: "u1" })).toEqual(["u1"]);
  expect(await found({ since: new Date(at - 2_500), until: new Date(at - 1_500) })).toEqual(["u2"]);
});

test("a rare call among many is found by going on, however few fit a page", async () => {
  const { accountId } = await newAccount(settings.ctx);
  const at = Date.now();
  await record(...Array.from({ length: 30 }, (_, place) => aCall({ accountId, at: at - place, reference: place === 29 ? "rare" : null })));
  const look = (after: Parameters<typeof listCalls>[3]["after"]) =>
    listCalls(settings.database.sql, accountId, { reference: "rare" }, { after, limit: 10, mostLookedAt: 12 });
  const first = await look(null);
  const second = await look(first.next);
  const third = await look(second.next);
  expect([first.rows.length, second.rows.length, third.rows.length]).toEqual([0, 0, 1]);
  expect(third.next).toBeNull();
});

test("refusals are grouped by error and path with how many there were, and a call is shown to its account only", async () => {
  const [{ accountId }, other] = [await newAccount(settings.ctx), await newAccount(settings.ctx)];
  const at = Date.now();
  const last = aCall({ accountId, at, path: "/r", status: 401, error: "invalid_signature" });
  const flood = Array.from({ length: 40 }, () => aCall({ accountId, at: at - 10, status: 429, error: "rate_limited", path: "/b" }));
  const old = aCall({ accountId, at: at - 5 * 3_600_000, path: "/r", status: 404, error: "not_found" });
  await record(
    aCall({ accountId, at: at - 5, path: "/r", status: 401, error: "invalid_signature" }),
    last,
    ...flood,
    old,
    aCall({ accountId }),
  );
  const groups = await groupErrors(settings.database.sql, accountId, new Date(at - 3_600_000));
  expect(groups.map((group) => [group.error, group.path, Number(group.count)])).toEqual([
    ["rate_limited", "/b", 40],
    ["invalid_signature", "/r", 2],
  ]);
  expect(groups[1]?.last_request_id).toBe(last.requestId);
  const key = { at: new Date(last.at), requestId: last.requestId };
  expect(await readCall(settings.database.sql, accountId, key)).toMatchObject({ path: "/r" });
  expect(await readCall(settings.database.sql, other.accountId, key)).toBeNull();
});

test("old counts and refused callers are deleted", async () => {
  const { accountId } = await newAccount(settings.ctx);
  const { sql } = settings.database;
  const now = Date.now();
  const days = (count: number) => now - count * 86_400_000;
  const secret = { how: "secret", credentialId: "C1" } as const;
  const refused = (at: number, address: string) =>
    aCall({ accountId, at, address: addressOf(address), status: 403, error: "ip_not_allowed" });
  await record(
    aCall({ accountId, at: days(6.9), signedBy: secret }),
    aCall({ accountId, at: days(0.1), signedBy: secret }),
    refused(days(31), "203.0.113.1"),
    refused(days(1), "203.0.113.2"),
  );
  await Promise.all([sweepCallDetails(sql, now, 7), sweepCallDetails(sql, now, 7)]);
  expect((await sql`select 1 from api_signed_calls where account_id = ${accountId}`).length).toBe(1);
  const left = await sql<{ subject: string }[]>`select subject from api_usage where account_id = ${accountId} and kind = 'refused'`;
  expect(left.map((row) => row.subject)).toEqual(["203.0.113.2"]);
});

test("a live view shows each new call once, of its account and filter alone, also one that was written late, and ends with its viewer", async () => {
  const [{ accountId }, other] = [await newAccount(settings.ctx), await newAccount(settings.ctx)];
  const { clock, database } = settings;
  await record(aCall({ accountId, at: clock.now() - 10_000, reference: "before" }));
  const left = new AbortController();
  const seen: (string | null)[] = [];
  const options = { sql: database.sql, clock, everyMilliseconds: 5 };
  const ended = (async () => {
    for await (const row of tailCalls(options, accountId, { method: "POST" }, left.signal)) seen.push(row.reference);
  })();
  const early = clock.now() + 5;
  const post = (reference: string, more: Partial<Call> & { accountId?: string } = {}) =>
    aCall({ accountId, method: "POST", reference, ...more });
  await record(post("first", { at: early + 100 }), post("theirs", { accountId: other.accountId }), post("get", { method: "GET" }));
  await vi.waitUntil(() => seen.includes("first"), WAIT_MILLISECONDS);
  await record(post("late", { at: early + 1 }));
  await vi.waitUntil(() => seen.includes("late"), WAIT_MILLISECONDS);
  await record(post("last", { at: early + 200 }));
  await vi.waitUntil(() => seen.includes("last"), WAIT_MILLISECONDS);
  left.abort();
  await ended;
  expect(seen).toEqual(["first", "late", "last"]);
});
