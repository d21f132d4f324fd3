import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Callbacks, startCallbacks } from "../../../domain/callbacks/start-callbacks.ts";
import { fieldsOf, startReceiver, type TestReceiver } from "../../../domain/callbacks/testing/receiver.ts";
import { isValidVersion2, isValidVersion3 } from "../../../domain/callbacks/testing/verify.ts";
import type { OrdersContext } from "../../../domain/orders/context.ts";
import { parseRange } from "../../../platform/network/address.ts";
import { createLog } from "../../../platform/observability/log.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { type TestApi, testApi } from "../testing/api.ts";

let api: TestApi;
let engine: Callbacks;
const receivers: TestReceiver[] = [];

beforeAll(async () => {
  const log = createLog("silent");
  const callbacks = {} as NonNullable<OperatorApiDependencies["callbacks"]>;
  api = await testApi({ orders: { log } as OrdersContext, callbacks });
  const { ctx, clock } = api.settings;
  const allow = [parseRange("127.0.0.0/8")].filter((range) => range !== null);
  engine = await startCallbacks({ ...ctx, processId: "P", clock, log, allow });
  Object.assign(callbacks, engine);
});
afterAll(async () => {
  await engine.close();
  await api.close();
});
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close();
});

async function receiverWith(...args: Parameters<typeof startReceiver>): Promise<TestReceiver> {
  const receiver = await startReceiver(...args);
  receivers.push(receiver);
  return receiver;
}

type Client = { readonly account_id: string; readonly api_token: string };

async function client(urls: object): Promise<Client> {
  const account = await api.newAccount();
  expect((await api.post(`/accounts/${account.account_id}`, urls)).status).toBe(200);
  return account;
}

type Row = { orderId?: string; status?: string; at?: number; kind?: string };

async function tell(account: Client, row: Row = {}): Promise<string> {
  const { ids } = api.settings.ctx;
  const at = row.at ?? api.settings.clock.now();
  const id = ids.entry(at);
  const orderId = row.orderId ?? ids.order(at);
  await api.settings.database.sql`
    insert into callbacks (account_id, callback_id, kind, order_id, urid, status, amount, target, next_at, settings_version, created_at)
    select account_id, ${id}, ${row.kind ?? "status"}, ${orderId}, 'urid', ${row.status ?? "SUCCESS"}, 100000, '9876543210', ${new Date(at)},
      callback_settings_version, ${new Date(at)} from accounts where account_id = ${account.account_id}`;
  engine.wake();
  return id;
}

/** Asks until the callback looks so. */
async function seen(id: string, wanted: object): Promise<Record<string, unknown>> {
  for (;;) {
    const { body } = await api.get(`/callbacks/${id}`);
    const fits = Object.entries(wanted).every(([name, value]) => body[name] === value);
    if (fits && !body.in_flight) return body;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test("a delivery is shown with every attempt and what the receiver replied, masked", async () => {
  const receiver = await receiverWith((_received, count, response) => {
    if (count > 1) return 200;
    response.writeHead(503).end(`No disk space for 9876543210 ${"x".repeat(5_000)}`);
    return undefined;
  });
  const account = await client({ callback_url: receiver.url });
  const id = await tell(account, { orderId: "ORDERSHOWN01" });
  const waiting = await seen(id, { attempts: 1 });
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(waiting).toMatchObject({
    callback_id: id,
    account_id: account.account_id,
    kind: "status",
    order_id: "ORDERSHOWN01",
    urid: "urid",
    status: "SUCCESS",
    version: 2,
    state: "waiting",
    next_at: time,
    last_http_status: 503,
    last_error: "The receiver answered 503.",
  });
  expect((await api.post(`/callbacks/${id}/resend`, {})).status).toBe(200);
  const delivered = await seen(id, { state: "delivered" });
  expect(delivered).toMatchObject({ attempts: 2, next_at: null, last_http_status: 200, delivered_at: time });
  expect(delivered["attempt_log"]).toEqual([
    {
      attempt: 1,
      at: time,
      url: receiver.url,
      version: 2,
      http_status: 503,
      error: "The receiver answered 503.",
      milliseconds: expect.any(Number),
      reply: expect.stringMatching(/^No disk space for ••••••3210 x{990,1010}$/),
    },
    { attempt: 2, at: time, url: receiver.url, version: 2, http_status: 200, error: null, milliseconds: expect.any(Number), reply: null },
  ]);
});

test("a delivered callback can be sent again, a superseded one not, in whatever state it is", async () => {
  let status = 200;
  const receiver = await receiverWith(() => status);
  const account = await client({ callback_url: receiver.url });
  const success = await tell(account, { orderId: "ORDERAGAIN01", at: Date.now() - 5000 });
  await seen(success, { state: "delivered" });
  expect((await api.post(`/callbacks/${success}/resend`, {})).body).toMatchObject({ callback_id: success });
  await seen(success, { state: "delivered", attempts: 2 });
  const [first, second] = receiver.got.map(fieldsOf);
  expect([first?.["nonce"] === second?.["nonce"], first?.["ts"] === second?.["ts"]]).toEqual([false, false]);
  status = 503;
  const failed = await tell(account, { orderId: "ORDERAGAIN01", status: "FAILED" });
  expect(await api.post(`/callbacks/${success}/resend`, {})).toMatchObject({ status: 409, body: { error: "conflict" } });
  await seen(failed, { attempts: 1 });
  expect((await api.post(`/callbacks/${failed}/resend`, {})).status).toBe(200);
});

test("a delivery's time stays when the callback is sent again, even if that attempt fails", async () => {
  let status = 200;
  const receiver = await receiverWith(() => status);
  const account = await client({ callback_url: receiver.url });
  const id = await tell(account, { orderId: "ORDERKEPT001" });
  const { delivered_at: deliveredAt } = await seen(id, { state: "delivered" });
  expect(deliveredAt).toEqual(expect.any(String));
  status = 503;
  expect((await api.post(`/callbacks/${id}/resend`, {})).body).toMatchObject({ state: "waiting", delivered_at: deliveredAt });
  expect(await seen(id, { attempts: 2 })).toMatchObject({ state: "waiting", last_http_status: 503, delivered_at: deliveredAt });
});

test("a resend makes all that waits for its receiver due, and closes the breaker", async () => {
  let status = 503;
  const receiver = await receiverWith(() => status);
  const account = await client({ callback_url: receiver.url });
  const ids = await Promise.all(Array.from({ length: 11 }, () => tell(account)));
  for (const id of ids) await seen(id, { attempts: 1 });
  const { sql } = api.settings.database;
  const probe = () => sql`select 1 from callback_targets where account_id = ${account.account_id} and probe_at is not null`;
  expect(await probe()).toHaveLength(1);
  status = 200;
  await api.post(`/callbacks/${ids[0]}/resend`, {});
  for (const id of ids) await seen(id, { state: "delivered" });
  expect(await probe()).toHaveLength(0);
});

test("recover makes due what was not delivered since, and only that", async () => {
  let status = 503;
  const receiver = await receiverWith(() => status);
  const account = await client({ callback_url: receiver.url });
  const old = await tell(account, { at: Date.now() - 7_200_000 });
  const ids = await Promise.all([tell(account), tell(account)]);
  for (const id of [old, ...ids]) await seen(id, { attempts: 1 });
  status = 200;
  const since = Math.floor(Date.now() / 1000) - 3600;
  const recovered = await api.post("/callbacks/recover", { account_id: account.account_id, since });
  expect(recovered).toMatchObject({ status: 200, body: { recovered: 2 } });
  for (const id of ids) await seen(id, { state: "delivered" });
  expect((await api.get(`/callbacks/${old}`)).body).toMatchObject({ state: "waiting", attempts: 1 });
  const all = await api.post("/callbacks/recover", { account_id: account.account_id, since: "2020-01-01" });
  expect(all.body).toEqual({ recovered: 1 });
  await seen(old, { state: "delivered" });
  const { body } = await api.get(`/audit?subject_kind=account&subject_id=${account.account_id}`);
  expect(body.items[0]).toMatchObject({ action: "callbacks.recovered", actor: "operator-key", details: { recovered: 1 } });
});

test.each([
  [{ since: "2025-01-01" }, 400],
  [{ account_id: "ANOBODY00000", since: "2025-01-01" }, 404],
  [{ account_id: "ANOBODY00000", since: "yesterday" }, 400],
  [{ account_id: "ANOBODY00000", since: "2025-02-30" }, 400],
  [{ account_id: "ANOBODY00000", since: "2025-02-28 24:00:00" }, 400],
  [{ account_id: "ANOBODY00000", since: "2025-02-28 23:59:59" }, 404],
  [{ account_id: "ANOBODY00000", since: 1.5 }, 400],
  [{ account_id: "ANOBODY00000", since: -1 }, 400],
  [{ account_id: "ANOBODY00000", since: null }, 400],
  [{ account_id: "ANOBODY00000" }, 400],
  [{ account_id: "ANOBODY00000", since: 1_750_000_000, more: 1 }, 400],
])("recover with %j is answered %i", async (body, status) => {
  expect((await api.post("/callbacks/recover", body)).status).toBe(status);
});

test("a pause holds an account's deliveries, a removed URL parks them, and both are shown", async () => {
  const receiver = await receiverWith();
  const account = await client({ callback_url: receiver.url });
  const path = `/accounts/${account.account_id}`;
  expect((await api.post(`${path}/callbacks/pause`, { reason: "maintenance" })).body).toMatchObject({ callbacks_paused: true });
  expect((await api.post(`${path}/callbacks/pause`, {})).body).toMatchObject({ callbacks_paused: true });
  const id = await tell(account);
  const states = async () =>
    (await api.get(`/callbacks?account_id=${account.account_id}`)).body.items.map((item: { state: string }) => item.state);
  expect(await states()).toEqual(["paused"]);
  await api.post(path, { callback_url: null });
  expect(await states()).toEqual(["parked"]);
  await api.post(path, { callback_url: receiver.url });
  const other = await client({ callback_url: receiver.url });
  await seen(await tell(other), { state: "delivered" });
  expect(receiver.got).toHaveLength(1);
  expect((await api.post(`${path}/callbacks/resume`, {})).body).toMatchObject({ callbacks_paused: false });
  await seen(id, { state: "delivered" });
  const { body } = await api.get(`/audit?subject_kind=account&subject_id=${account.account_id}`);
  const actions = body.items.map((item: { action: string }) => item.action);
  expect(actions.filter((action: string) => action === "account.callbacks_paused")).toHaveLength(1);
  expect(actions).toContain("account.callbacks_resumed");
});

test("the list can be asked by account and state, and following it shows each item once", async () => {
  const receiver = await receiverWith();
  const account = await client({ callback_url: receiver.url });
  const ids: string[] = [];
  for (let count = 0; count < 7; count++) ids.push(await tell(account, { at: Date.now() - 1000 + count }));
  for (const id of ids) await seen(id, { state: "delivered" });
  await api.post(`/accounts/${account.account_id}/callbacks/pause`, {});
  const paused = await tell(account);
  const list = async (query: string) => (await api.get(`/callbacks?${query}`)).body;
  const idsOf = (page: { items: { callback_id: string }[] }) => page.items.map((item) => item.callback_id);
  expect(idsOf(await list(`account_id=${account.account_id}`))).toEqual([paused, ...ids.toReversed()]);
  expect(idsOf(await list(`account_id=${account.account_id}&state=paused`))).toEqual([paused]);
  expect(idsOf(await list(`account_id=${account.account_id}&state=delivered`))).toEqual(ids.toReversed());
  expect(idsOf(await list(`account_id=${account.account_id}&state=parked`))).toEqual([]);
  expect(idsOf(await list("account_id=ANOBODY00000"))).toEqual([]);
  expect(idsOf(await list("limit=1"))).toEqual([paused]);
  const followed: string[] = [];
  let next: string | null = "";
  while (next !== null) {
    const page: { items: { callback_id: string }[]; next: string | null } = await list(
      `account_id=${account.account_id}&limit=3${next === "" ? "" : `&after=${next}`}`,
    );
    followed.push(...idsOf(page));
    next = page.next;
    await tell(account);
  }
  expect(followed).toEqual([paused, ...ids.toReversed()]);
});

test.each(["state=lost", "limit=0", "after=x", "account_id=%20"])("the list asked with %s is refused", async (query) => {
  expect((await api.get(`/callbacks?${query}`)).status).toBe(400);
});

test("a test complaint is sent once and its result is returned, in both versions", async () => {
  const receiver = await receiverWith((_received, count) => (count === 2 ? 500 : 200));
  const account = await client({ complaint_callback_url: receiver.url });
  const path = `/accounts/${account.account_id}/test-complaint`;
  expect((await api.post(path, {})).body).toEqual({ delivered: true, http_status: 200, error: null });
  expect((await api.post(path, {})).body).toEqual({ delivered: false, http_status: 500, error: "The receiver answered 500." });
  const { callback_secret: secret } = (await api.post(`/accounts/${account.account_id}/callback-secret`)).body;
  await api.post(`/accounts/${account.account_id}`, { callback_version: 3 });
  expect((await api.post(path, {})).body).toEqual({ delivered: true, http_status: 200, error: null });
  const [first, , third] = receiver.got;
  if (!first || !third) throw new Error("too few");
  expect(isValidVersion2(first, account.api_token) && isValidVersion3(third, secret)).toBe(true);
  for (const fields of [fieldsOf(first), fieldsOf(third)]) {
    expect(fields).toMatchObject({ event: "complaint", status: "RESOLVED", refund_amount: "0.0000", test: "1" });
    for (const name of ["complaint_ref", "orderid", "urid"]) expect(fields[name]).toMatch(/^TEST-/);
  }
  expect(receiver.got).toHaveLength(3);
  expect((await api.get(`/callbacks?account_id=${account.account_id}`)).body.items).toEqual([]);
});

test("without a complaint URL a test complaint is 409, and unknown ids are 404", async () => {
  const account = await api.newAccount();
  expect((await api.post(`/accounts/${account.account_id}/test-complaint`, {})).status).toBe(409);
  for (const path of ["test-complaint", "callbacks/pause", "callbacks/resume"])
    expect((await api.post(`/accounts/ANOBODY00000/${path}`, {})).status).toBe(404);
  expect((await api.get("/callbacks/NOBODY")).status).toBe(404);
  expect((await api.post("/callbacks/NOBODY/resend", {})).status).toBe(404);
});
