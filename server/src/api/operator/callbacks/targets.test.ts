import { afterAll, beforeAll, expect, test } from "vitest";
import { orderRow } from "../../../domain/orders/testing/rows.ts";
import { type TestApi, testApi } from "../testing/api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());

type NewCallback = {
  readonly kind?: "status" | "complaint";
  readonly orderId?: string;
  readonly at?: number;
  readonly error?: string | null;
  readonly httpStatus?: number | null;
  readonly sentTs?: number;
};

async function callbackRow(accountId: string, row: NewCallback = {}): Promise<string> {
  const { ids } = api.settings.ctx;
  const { kind = "status", at = api.settings.clock.now(), error = null, httpStatus = null, sentTs = 0 } = row;
  const id = ids.entry(at);
  await api.settings.database.sql`
    insert into callbacks (account_id, callback_id, kind, order_id, urid, status, attempts, retry_step, next_at, last_ts, last_http_status, last_error,
      created_at)
    values (${accountId}, ${id}, ${kind}, ${row.orderId ?? ids.order(at)}, 'urid', 'SUCCESS', ${error === null ? 0 : 1},
      ${error === null ? 0 : 1}, ${new Date(at)}, ${sentTs}, ${httpStatus}, ${error}, ${new Date(at)})`;
  return id;
}

async function target(accountId: string, kind: string, failures: number, probeAt: Date | null): Promise<void> {
  await api.settings.database.sql`
    insert into callback_targets (account_id, kind, failures, probe_at, settings_version) values (${accountId}, ${kind}, ${failures}, ${probeAt}, 0)`;
}

async function client(name: string, url: string | null = "https://127.0.0.1/in"): Promise<string> {
  const { account_id: id } = await api.newAccount({ name });
  if (url !== null) await api.post(`/accounts/${id}`, { callback_url: url });
  return id;
}

const targets = async (query: string) => (await api.get(`/callbacks/targets?${query}`)).body;

test("a receiver that fails is shown with its failures, its oldest callback and its last error", async () => {
  const now = api.settings.clock.now();
  const id = await client("Failing Stores");
  await callbackRow(id, { at: now - 60_000, error: "The connection was refused.", sentTs: 5 });
  await callbackRow(id, { at: now - 50_000, error: "HTTP 503", httpStatus: 503, sentTs: 9 });
  await callbackRow(id, { at: now });
  await target(id, "status", 3, null);
  const { items } = await targets(`account_id=${id}`);
  expect(items).toEqual([
    {
      account_id: id,
      account_name: "Failing Stores",
      kind: "status",
      url: "https://127.0.0.1/in",
      version: 2,
      state: "failing",
      paused: false,
      failures: 3,
      breaker: "closed",
      probe_at: null,
      next_at: expect.any(String),
      waiting: 3,
      waiting_more: false,
      oldest_at: new Date(now - 60_000 + 19_800_000).toISOString().slice(0, 19).replace("T", " "),
      last_http_status: 503,
      last_error: "HTTP 503",
    },
  ]);
});

test("an open breaker, a pause and a missing URL are distinguished; what is only on its way is not shown", async () => {
  const [broken, paused, parked, well] = [
    await client("Broken"),
    await client("Paused"),
    await client("Parked", null),
    await client("Well"),
  ];
  for (const id of [broken, paused, parked, well]) await callbackRow(id);
  await target(broken, "status", 12, new Date(api.settings.clock.now() + 60_000));
  await api.post(`/accounts/${paused}/callbacks/pause`);
  const states = async (id: string) => (await targets(`account_id=${id}`)).items.map((one: { state: string }) => one.state);
  expect([await states(broken), await states(paused), await states(parked), await states(well)]).toEqual([
    ["broken"],
    ["paused"],
    ["parked"],
    [],
  ]);
  expect((await targets("state=broken")).items).toMatchObject([{ account_id: broken, breaker: "open", probe_at: expect.any(String) }]);
});

test("the list of receivers is followed page by page, and wrong questions are refused", async () => {
  const all = (await targets("limit=200")).items as { account_id: string }[];
  const seen: string[] = [];
  let next: string | null = null;
  do {
    const page = await targets(`limit=1${next === null ? "" : `&after=${next}`}`);
    seen.push(...page.items.map((one: { account_id: string }) => one.account_id));
    next = page.next;
  } while (next !== null);
  expect(seen).toEqual(all.map((one) => one.account_id));
  expect(seen.length).toBeGreaterThan(1);
  for (const query of ["state=tired", "after=x", "limit=0"])
    expect(await api.get(`/callbacks/targets?${query}`)).toMatchObject({ status: 400, body: { fields: expect.any(Object) } });
});

test("callbacks are found by their id, their order and the client's reference, by kind and since a time", async () => {
  const id = await client("Found");
  const now = api.settings.clock.now();
  const orderId = await orderRow(api.settings.database.sql, { accountId: id, at: now, reference: "INV-2026.7" });
  const status = await callbackRow(id, { orderId, at: now - 86_400_000 });
  const complaint = await callbackRow(id, { orderId, at: now, kind: "complaint" });
  const found = async (query: string) =>
    (await api.get(`/callbacks?${query}`)).body.items.map((one: { callback_id: string }) => one.callback_id);
  expect(await found(`search=${status}`)).toEqual([status]);
  expect(await found(`search=${orderId}`)).toEqual([complaint, status]);
  expect(await found("search=INV-2026.7")).toEqual([complaint, status]);
  expect(await found(`search=INV-2026.7&account_id=${id}&kind=complaint`)).toEqual([complaint]);
  expect(await found("search=INV-2026.7&account_id=AELSEWHERE")).toEqual([]);
  expect(await found("search=INV-2026.8")).toEqual([]);
  const yesterday = new Date(now - 3_600_000 + 19_800_000).toISOString().slice(0, 19).replace("T", "%20");
  expect(await found(`account_id=${id}&since=${yesterday}`)).toEqual([complaint]);
  expect(await found(`account_id=${id}&state=waiting`)).toEqual([status]);
  for (const query of ["kind=letter", "since=yesterday", "search=a%20b", "search="])
    expect((await api.get(`/callbacks?${query}`)).status).toBe(400);
});

test("a callback shows the request as it would be sent now, or why there is none", async () => {
  const [reachable, parked] = [await client("Shown"), await client("Nowhere", null)];
  const shown = (await api.get(`/callbacks/${await callbackRow(reachable)}`)).body;
  expect(shown).toMatchObject({ attempt_log: [], request: { method: "GET", body: null }, request_missing: null });
  expect(shown.request.url).toMatch(/^https:\/\/127\.0\.0\.1\/in\?.*hash=[0-9a-f]{64}/);
  expect((await api.get(`/callbacks/${await callbackRow(parked)}`)).body).toMatchObject({
    request: null,
    request_missing: "The account has no URL for this callback.",
  });
});
