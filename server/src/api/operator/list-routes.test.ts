import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApi, testApi } from "./testing/api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  for (let number = 0; number < 12; number++) await api.newAccount({ name: `Account ${number}` });
  for (let number = 0; number < 12; number++) await api.post("/keys", { name: `Key ${number}` });
});
afterAll(() => api.close());

const LISTS = [
  { path: "/accounts", idOf: "account_id", add: () => api.newAccount() },
  { path: "/keys", idOf: "key_id", add: () => api.post("/keys", { name: "Added meanwhile" }) },
  { path: "/audit", idOf: "seq", add: () => api.newAccount() },
];

test.each(LISTS)("following $path shows each item of the first moment exactly once, while more are added", async ({ path, idOf, add }) => {
  const idsOf = (items: readonly Record<string, unknown>[]) => items.map((item) => item[idOf]);
  const existing = idsOf((await api.get(`${path}?limit=200`)).body.items);
  const seen: unknown[] = [];
  let next: string | null = null;
  do {
    const page = await api.get(`${path}?limit=5${next === null ? "" : `&after=${encodeURIComponent(next)}`}`);
    expect(page).toMatchObject({ status: 200, body: { ok: true } });
    seen.push(...idsOf(page.body.items));
    next = page.body.next;
    await add();
  } while (next !== null);
  expect(seen).toEqual(existing);
});

test("items of one millisecond are distinguished", async () => {
  const { sql } = api.settings.database;
  const at = new Date(Date.now() + 60_000);
  const ids = Array.from({ length: 9 }, (_, number) => `ASAME${number}`);
  for (const id of ids)
    await sql`insert into accounts (account_id, name, sandbox, created_at, updated_at) values (${id}, 'Same', false, ${at}, ${at})`;
  const seen: string[] = [];
  let next = "";
  for (let page = 0; page < 3; page++) {
    const { body } = await api.get(`/accounts?limit=3${next === "" ? "" : `&after=${next}`}`);
    seen.push(...body.items.map((item: { account_id: string }) => item.account_id));
    next = body.next;
  }
  expect(seen).toEqual(ids.toReversed());
});

test("a page has 50 items by default", async () => {
  const { body } = await api.get("/audit");
  expect(body.items.length).toBeLessThanOrEqual(50);
  expect((await api.get("/audit?unknown=1&limit=1")).body).toMatchObject({
    ok: true,
    items: [expect.anything()],
    next: expect.any(String),
  });
});

test.each([
  "limit=0",
  "limit=201",
  "limit=-1",
  "limit=x",
  "limit=1e1",
  "limit=",
  "limit=1&limit=2",
  "after=x",
  "after=",
  "after=%00",
  "after=1&after=2",
])("a list asked with %s is refused", async (query) => {
  for (const { path } of LISTS) {
    const field = query.split("=")[0] ?? "";
    expect(await api.get(`${path}?${query}`)).toMatchObject({
      status: 400,
      body: { error: "invalid_request", fields: { [field]: expect.any(String) } },
    });
  }
});

test("an audit entry shows who did what to whom, and can be asked for by its subject", async () => {
  const { account_id: id } = await api.newAccount();
  await api.post(`/accounts/${id}`, { standing: "paused", reason: "fraud check" });
  const { body } = await api.get(`/audit?subject_kind=account&subject_id=${id}`);
  expect(body.items.map((item: { action: string }) => item.action)).toEqual(["account.changed", "account.created"]);
  expect(body.items[0]).toEqual({
    seq: expect.any(Number),
    at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    actor: "operator-key",
    action: "account.changed",
    subject_kind: "account",
    subject_id: id,
    details: { changes: { standing: { from: "active", to: "paused" } }, reason: "fraud check" },
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});
