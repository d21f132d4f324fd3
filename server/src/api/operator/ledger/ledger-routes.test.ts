import { afterAll, beforeAll, expect, test } from "vitest";
import { buildOrder } from "../../../domain/complaints/testing/build-order.ts";
import { saveCheckState } from "../../../domain/ledger/check-state-store.ts";
import { createLedgerCheck } from "../../../domain/ledger/continuous-check.ts";
import { reverseManually } from "../../../domain/orders/change-manually.ts";
import type { OrdersContext } from "../../../domain/orders/context.ts";
import { beat } from "../../../domain/orders/recovery/heartbeat.ts";
import { contextOf } from "../../../domain/orders/testing/fixture.ts";
import { createLog } from "../../../platform/observability/log.ts";
import { type TestApi, testApi } from "../testing/api.ts";

let api: TestApi;
let orders: OrdersContext;
beforeAll(async () => {
  api = await testApi();
  const { sql } = api.settings.database;
  orders = contextOf(sql, sql, api.settings.clock);
});
afterAll(() => api.close());

async function newAccount(rupees: number, more: object = {}): Promise<string> {
  const { account_id: accountId } = await api.newAccount(more);
  if (rupees > 0) await api.post(`/accounts/${accountId}/wallet`, { amount: `${rupees}.00`, reference: "start" });
  return accountId;
}

async function get(path: string) {
  const { status, body, text } = await api.get(path);
  expect(status, text).toBe(200);
  return body;
}

type Entry = { readonly entry_id: string; readonly kind: string; readonly account_id: string };
const kindsOf = (body: { readonly items: readonly Entry[] }) => body.items.map((entry) => entry.kind);

test("the trial balance sums to zero, test money apart, and names who has most", async () => {
  const before = await get("/ledger/trial-balance");
  const rich = await newAccount(5_000_000, { name: "Rich" });
  const busy = await newAccount(1_000, { name: "Busy" });
  await newAccount(77, { name: "Play", sandbox: true });
  await buildOrder(orders, busy, { state: "pending", amount: 3_000_000n });
  await buildOrder(orders, busy, { amount: 1_000_000n, fee: 50_000n });
  const after = await get("/ledger/trial-balance");
  const gained = (side: "live" | "sandbox", bucket: string) => Number(after[side][bucket]) - Number(before[side][bucket]);
  expect(after).toMatchObject({ ok: true, live: { sum: "0.0000", unbalanced: 0 }, sandbox: { sum: "0.0000", unbalanced: 0 } });
  expect(["available", "held", "cleared", "funding", "fees"].map((bucket) => gained("live", bucket))).toEqual([
    5_000_595, 300, 100, -5_001_000, 5,
  ]);
  expect([gained("sandbox", "available"), gained("sandbox", "funding"), gained("sandbox", "wallets")]).toEqual([77, -77, 1]);
  expect(after.heaviest.available[0]).toMatchObject({ account_id: rich, account_name: "Rich", available: "5000000.0000", sum: "0.0000" });
  expect(after.heaviest.held[0]).toMatchObject({ account_id: busy, held: "300.0000" });
});

test("wallets that may go below zero are named, with how far they are", async () => {
  const accountId = await newAccount(10, { name: "On credit" });
  const { sql } = api.settings.database;
  await sql`update wallets set overdraft = 5000000, available = -2000000, funding = funding + available + 2000000 where account_id = ${accountId}`;
  const { heaviest, live } = await get("/ledger/trial-balance");
  expect(heaviest.overdraft[0]).toMatchObject({ account_id: accountId, overdraft: "500.0000", available: "-200.0000" });
  expect(live).toMatchObject({ overdraft: "500.0000", overdrawn: "200.0000" });
});

test("wallets are listed account by account, each once, and found by name or id", async () => {
  const ids: string[] = [];
  for (let number = 0; number < 7; number++) ids.push(await newAccount(1, { name: `Lakeside ${number}` }));
  const seen: string[] = [];
  for (let next: string | null = ""; next !== null; ) {
    const page: { items: { account_id: string; sum: string }[]; next: string | null } = await get(
      `/ledger/wallets?search=lakeside&limit=3${next === "" ? "" : `&after=${next}`}`,
    );
    for (const wallet of page.items) expect(wallet.sum).toBe("0.0000");
    seen.push(...page.items.map((wallet) => wallet.account_id));
    next = page.next;
  }
  expect(seen).toEqual(ids.toSorted());
  expect((await get(`/ledger/wallets?search=${ids[3]}`)).items).toEqual([
    expect.objectContaining({ account_id: ids[3], account_name: "Lakeside 3", available: "1.0000", funding: "-1.0000", entries: 1 }),
  ]);
  expect((await get("/ledger/wallets?search=100%25")).items).toEqual([]);
});

test("ledger lines are found by account, order, kind and day, and one by its own id", async () => {
  const accountId = await newAccount(500);
  const orderId = await buildOrder(orders, accountId, {});
  await reverseManually(orders, "test", { orderId, reason: "The number was wrong." });
  const own = `account_id=${accountId}`;
  const cases: readonly (readonly [string, readonly string[]])[] = [
    [own, ["reversal", "capture", "hold", "topup"]],
    [`order_id=${orderId}`, ["reversal", "capture", "hold"]],
    [`order_id=${orderId}&kind=hold`, ["hold"]],
    [`${own}&kind=topup`, ["topup"]],
    [`${own}&kind=hold`, ["hold"]],
    [`${own}&kind=refund`, []],
    [`${own}&from=2020-01-01&to=2020-01-31`, []],
    ["order_id=NOSUCHORDER", []],
    ["account_id=A00000000000", []],
  ];
  for (const [query, wanted] of cases) expect([query, kindsOf(await get(`/ledger/entries?${query}`))]).toEqual([query, wanted]);
  const { items } = await get(`/ledger/entries?${own}&kind=capture`);
  expect(items).toEqual([
    {
      entry_id: `${accountId}-3`,
      account_id: accountId,
      account_name: "Asha Stores",
      seq: 3,
      kind: "capture",
      from: "held",
      to: "cleared",
      amount: "10.0000",
      balance_after: "490.0000",
      order_id: orderId,
      reference: null,
      note: expect.any(String),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    },
  ]);
  expect(await get(`/ledger/entries/${accountId}-3`)).toEqual(items[0]);
  for (const none of [`${accountId}-99`, "x", `${accountId}-0`]) expect((await api.get(`/ledger/entries/${none}`)).status).toBe(404);
});

test.each(["", "&kind=topup"])("lines of all accounts come newest first, each once, also those of one moment: %s", async (filter) => {
  const accounts = [await newAccount(50), await newAccount(50)];
  for (const accountId of [...accounts, ...accounts, ...accounts]) await buildOrder(orders, accountId, {});
  // Long ago, so that there is a stretch without any; and many of one moment.
  const { sql } = api.settings.database;
  const owner = (await import("../../../platform/db/connection.ts")).connect({
    url: api.settings.database.url,
    connections: 1,
    role: null,
  });
  await owner.sql`update transfers set at = '2024-05-05T05:05:05Z' where account_id = ${accounts[0] ?? ""}`;
  await owner.close();
  const wanted = await sql<{ entry: string }[]>`
    select account_id || '-' || seq as entry from transfers where ${filter === "" ? sql`true` : sql`kind = 'topup'`}
    order by at desc, account_id desc, seq desc`;
  const seen: string[] = [];
  for (let next: string | null = ""; next !== null; ) {
    const page: { items: Entry[]; next: string | null } = await get(
      `/ledger/entries?limit=5${filter}${next === "" ? "" : `&after=${next}`}`,
    );
    seen.push(...page.items.map((entry) => entry.entry_id));
    next = page.next;
  }
  expect(seen).toEqual(wanted.map((row) => row.entry));
});

test("the check on demand says when it ran and how long it took", async () => {
  const body = await get("/ledger/check");
  expect(body).toMatchObject({ checked_at: expect.stringMatching(/^\d{4}-/), milliseconds: expect.any(Number) });
  expect(body.checks).toHaveLength(12);
});

test("findings of the continuous check are shown by every process while the finding process lives", async () => {
  const { sql } = api.settings.database;
  const accountId = await newAccount(10);
  await sql`update wallets set seq = seq + 1 where account_id = ${accountId}`;
  await beat(orders);
  const step = createLedgerCheck({ ...orders, log: createLog("silent"), report: (state) => saveCheckState(orders, state) });
  for (let steps = 0; steps < 5; steps++) await step();
  const { ok, processes } = await get("/ledger/continuous-check");
  expect(ok).toBe(false);
  expect(processes).toHaveLength(1);
  expect(processes[0]).toMatchObject({ process_id: orders.processId, round_ended_at: expect.any(String) });
  expect(processes[0].wallets).toBeGreaterThan(5);
  expect(processes[0].broken).toContainEqual({
    account_id: accountId,
    check: "every wallet's transfers are numbered without a gap",
    violations: 1,
  });
  await sql`update wallets set seq = seq - 1 where account_id = ${accountId}`;
  await sql`delete from processes where process_id = ${orders.processId}`;
  expect(await get("/ledger/continuous-check")).toEqual({ ok: true, processes: [] });
});

test.each([
  ["kind=gift", "kind"],
  ["after=x", "after"],
  ["from=2026-02-02&to=2026-02-01", "from"],
  ["limit=999", "limit"],
])("ledger lines refuse %s", async (query, field) => {
  expect(await api.get(`/ledger/entries?${query}`)).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } });
});
