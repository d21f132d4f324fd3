import { afterAll, beforeAll, expect, test } from "vitest";
import { buildOrder } from "../../domain/complaints/testing/build-order.ts";
import type { OrdersContext } from "../../domain/orders/context.ts";
import { contextOf } from "../../domain/orders/testing/fixture.ts";
import { splitPath } from "../sites/actions/action.ts";
import { OPERATOR_ACTIONS } from "./operator-actions.ts";
import { type TestApi, testApi } from "./testing/api.ts";

const orders = {} as { -readonly [Name in keyof OrdersContext]: OrdersContext[Name] };
let api: TestApi;
let live: { readonly accountId: string; readonly orderId: string };
let sandbox: typeof live;
beforeAll(async () => {
  api = await testApi({ orders });
  const { sql } = api.settings.database;
  Object.assign(orders, contextOf(sql, sql, api.settings.clock));
  live = await client(false);
  sandbox = await client(true);
});
afterAll(() => api.close());

async function client(isSandbox: boolean): Promise<typeof live> {
  const { account_id: accountId } = await api.newAccount({ sandbox: isSandbox });
  await api.post(`/accounts/${accountId}/wallet`, { amount: "1000.00", reference: "start" });
  await api.post(`/accounts/${accountId}`, { callback_url: "http://127.0.0.1:9/cb" });
  const orderId = await buildOrder(orders, accountId, { reference: "SAME-REFERENCE" });
  const pendingId = await buildOrder(orders, accountId, { state: "pending" });
  const { sql } = api.settings.database;
  const callbackId = api.settings.ctx.ids.entry(api.settings.clock.now());
  await sql`
    insert into complaints (account_id, complaint_ref, order_id, reason_code, description, raised_at, due_by)
    values (${accountId}, ${`CMP${accountId}`}, ${orderId}, 'other', 'Nothing arrived.', now(), now() + interval '1 day')`;
  await sql`
    insert into callbacks (account_id, callback_id, kind, order_id, urid, status, state, attempts, next_at, created_at)
    values (${accountId}, ${callbackId}, 'status', ${orderId}, 'u', 'SUCCESS', 'waiting', 1, now(), now())`;
  await sql`
    insert into approvals (approval_id, kind, about, input, account_id, made_by, maker_person, created_at, expires_at)
    values (${`APR${accountId}`}, 'wallet', ${accountId}, '{}', ${accountId}, 'someone', 'someone', now(), now() + interval '1 day')`;
  await sql`
    insert into pending_polls (account_id, order_id, why, since, due_at, needs_human)
    values (${accountId}, ${pendingId}, 'unknown', now(), now() + interval '1 hour', true)`;
  return { accountId, orderId };
}

const accountsOf = async (path: string) => {
  const answer = await api.get(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return new Set((answer.body.items as readonly { account_id: string }[]).map((item) => item.account_id));
};

const LISTS = [
  ...["/orders", "/orders?search=SAME-REFERENCE", "/orders?service=recharge", "/orders?status=SUCCESS"],
  ...["/orders?needs_human=true", "/complaints", "/callbacks", "/approvals"],
  ...["/accounts", "/ledger/wallets", "/ledger/entries", "/ledger/entries?kind=topup"],
];

test.each(LISTS)("%s shows live accounts in live mode, sandbox accounts in test mode, and all without a mode", async (path) => {
  const inMode = (mode: string) => `${path}${path.includes("?") ? "&" : "?"}mode=${mode}`;
  expect(await accountsOf(inMode("live"))).toEqual(new Set([live.accountId]));
  expect(await accountsOf(inMode("test"))).toEqual(new Set([sandbox.accountId]));
  expect(await accountsOf(path)).toEqual(new Set([live.accountId, sandbox.accountId]));
});

test("the overview counts the orders and the money of its mode", async () => {
  const read = async (mode: string) => (await api.get(`/overview?mode=${mode}`)).body;
  const sum = (body: { minutes: readonly { success: number }[] }) => body.minutes.reduce((total, one) => total + one.success, 0);
  for (const mode of ["live", "test"]) {
    const body = await read(mode);
    expect([mode, sum(body), body.float.accounts]).toEqual([mode, 1, 1]);
  }
});

const PLACES = [
  ["GET", (of: typeof live) => `/accounts/${of.accountId}`, undefined],
  ["POST", (of: typeof live) => `/accounts/${of.accountId}/wallet`, { amount: "5.00", reference: "more" }],
  ["GET", (of: typeof live) => `/orders/${of.orderId}`, undefined],
  ["POST", (of: typeof live) => `/orders/${of.orderId}/reverse`, { reason: "Wrong mode." }],
  ["GET", (of: typeof live) => `/ledger/entries/${of.accountId}-1`, undefined],
  ["POST", () => "/callbacks/recover", "account"],
] as const;

test.each(PLACES)("%s of an account of the other mode is refused and changes nothing (%#)", async (method, path, body) => {
  for (const [of, mode, right] of [
    [live, "test", "live"],
    [sandbox, "live", "test"],
  ] as const) {
    const sent = body === "account" ? { account_id: of.accountId, since: "2020-01-01" } : body;
    const answer = await api.send(method, `${path(of)}?mode=${mode}`, sent);
    expect([answer.status, answer.body.error, answer.body.fields]).toEqual([409, "conflict", { mode: `Must be ${right}.` }]);
  }
  expect((await api.get(`/orders/${live.orderId}`)).body.order.status).toBe("SUCCESS");
  expect((await api.get(`/accounts/${live.accountId}?mode=live`)).body.balance).toBe("980.0000");
});

const SHARED = OPERATOR_ACTIONS.map(splitPath).filter(
  ({ method, url }) =>
    method === "POST" && !/:(account_id|order_id|callback_id|complaint_ref|approval_id)/.test(url) && url !== "/callbacks/recover",
);
const ALLOWED = [
  ...["/accounts", "/orders/export", "/callbacks/recovery", "/jobs/:job_id/cancel", "/notifications/read"],
  ...["requery", "settle", "resend"].flatMap((action) => [`/bulk/${action}/preview`, `/bulk/${action}`]),
];

test("in test mode no change reaches what live clients share", async () => {
  const refused = SHARED.filter(({ url }) => !ALLOWED.includes(url));
  expect(refused.length).toBeGreaterThan(25);
  for (const { url } of refused) {
    const answer = await api.post(`${url.replaceAll(/:\w+/g, "AT")}?mode=test`, {});
    expect([url, answer.status, answer.body.fields]).toEqual([url, 409, { mode: "Must be live." }]);
  }
  expect((await api.post("/operators/AT?mode=test", { enabled: false })).status).toBe(409);
  expect((await api.get("/operators")).body.items.find((one: { operator: string }) => one.operator === "AT").enabled).toBe(true);
});

test("a new account is of the caller's mode, and a mode that does not exist is refused", async () => {
  expect((await api.post("/accounts?mode=test", { name: "Asha" })).body.fields).toEqual({ sandbox: "Must be true in test mode." });
  expect((await api.post("/accounts?mode=live", { name: "Asha", sandbox: true })).status).toBe(400);
  expect((await api.get("/orders?mode=both")).body.fields).toEqual({ mode: "Must be live or test." });
});

test("an export contains the orders of its mode", async () => {
  const days = { from: "2020-01-01", to: "2020-12-31" };
  const job = await api.post("/orders/export?mode=test", days);
  const [row] = await api.settings.database.sql<
    { input: { mode: string } }[]
  >`select input from jobs where job_id = ${job.body.job.job_id}`;
  expect([job.status, row?.input.mode]).toEqual([200, "test"]);
});
