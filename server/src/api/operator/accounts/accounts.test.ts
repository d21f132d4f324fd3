import { afterAll, beforeAll, expect, test } from "vitest";
import { createToken } from "../../../domain/accounts/credentials/manage-tokens.ts";
import { buildOrder } from "../../../domain/complaints/testing/build-order.ts";
import type { OrdersContext } from "../../../domain/orders/context.ts";
import { contextOf } from "../../../domain/orders/testing/fixture.ts";
import { type TestApi, testApi } from "../testing/api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());

const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

test("creating an account returns 201 with its token, which is shown only once", async () => {
  const created = await api.post("/accounts", { name: " Asha Stores ", reason: "signed up" });
  expect(created.status).toBe(201);
  expect(created.body).toEqual({ account_id: expect.stringMatching(/^A[0-9A-Z]{11}$/), api_token: expect.stringMatching(/^tok_live_/) });
  const read = await api.get(`/accounts/${created.body.account_id}`);
  expect(read.status).toBe(200);
  expect(read.body).toEqual({
    account_id: created.body.account_id,
    name: "Asha Stores",
    sandbox: false,
    standing: "active",
    kyc: "verified",
    agreement: "signed",
    wallet: "active",
    signing_required: false,
    money_per_minute: 600,
    get_per_minute: 300,
    daily_limit: null,
    services: { recharge: true, bills: false, transfers: false, bus: false, aeps: false },
    allowlist: [],
    callback_url: null,
    complaint_callback_url: null,
    callback_version: 2,
    callbacks_paused: false,
    closed_at: null,
    signing_secrets: [],
    callback_secret_set: false,
    balance: "0.0000",
    held: "0.0000",
    created_at: expect.stringMatching(TIME),
  });
  expect((await api.newAccount({ sandbox: true })).api_token).toMatch(/^tok_test_/);
});

test("each setting can be changed alone, the reply equals the GET, and the change applies at once", async () => {
  const { account_id: id } = await api.newAccount();
  const changes: readonly (readonly [object, object])[] = [
    [{ standing: "paused" }, { standing: "paused" }],
    [{ kyc: "pending" }, { kyc: "pending" }],
    [{ agreement: "pending" }, { agreement: "pending" }],
    [{ wallet: "suspended" }, { wallet: "suspended" }],
    [{ signing_required: true }, { signing_required: true }],
    [{ money_per_minute: 1_000_000 }, { money_per_minute: 1_000_000 }],
    [{ get_per_minute: 1 }, { get_per_minute: 1 }],
    [{ daily_limit: "2500.5" }, { daily_limit: "2500.5000" }],
    [{ daily_limit: null }, { daily_limit: null }],
    [{ callback_url: "https://93.184.215.14/cb?shop=a%20b" }, { callback_url: "https://93.184.215.14/cb?shop=a%20b" }],
    [{ complaint_callback_url: "http://127.0.0.1:9/c" }, { complaint_callback_url: "http://127.0.0.1:9/c" }],
    [
      { callback_url: null, complaint_callback_url: null },
      { callback_url: null, complaint_callback_url: null },
    ],
    [{ callback_version: 2 }, { callback_version: 2 }],
    [{}, {}],
  ];
  let expected = (await api.get(`/accounts/${id}`)).body;
  for (const [change, shown] of changes) {
    expected = { ...expected, ...shown };
    const changed = await api.post(`/accounts/${id}`, change);
    expect([changed.status, changed.body]).toEqual([200, expected]);
    expect((await api.get(`/accounts/${id}`)).body).toEqual(expected);
  }
  expect(api.settings.directory.byId(id)).toMatchObject({ standing: "paused", signingRequired: true, moneyPerMinute: 1_000_000 });
});

test.each([
  [{ standing: "gone" }, "standing"],
  [{ standing: null }, "standing"],
  [{ kyc: "maybe" }, "kyc"],
  [{ signing_required: "yes" }, "signing_required"],
  [{ money_per_minute: -1 }, "money_per_minute"],
  [{ money_per_minute: 0 }, "money_per_minute"],
  [{ money_per_minute: 1_000_001 }, "money_per_minute"],
  [{ money_per_minute: 1.5 }, "money_per_minute"],
  [{ money_per_minute: "many" }, "money_per_minute"],
  [{ daily_limit: "1e3" }, "daily_limit"],
  [{ daily_limit: 5 }, "daily_limit"],
  [{ daily_limit: "0" }, "daily_limit"],
  [{ daily_limit: "-1" }, "daily_limit"],
  [{ callback_version: 4 }, "callback_version"],
  [{ callback_version: "3" }, "callback_version"],
  [{ callback_url: 7 }, "callback_url"],
  [{ callback_url: "https://10.0.0.1/x" }, "callback_url"],
  [{ complaint_callback_url: "http://93.184.215.14/x" }, "complaint_callback_url"],
  [{ reason: "x".repeat(501) }, "reason"],
  [{ name: "New name" }, "name"],
  [{ teleport: true }, "teleport"],
  [{ sandbox: true }, "sandbox"],
])("a change with an invalid or unknown field is refused completely: %j", async (wrong, field) => {
  const { account_id: id } = await api.newAccount();
  const before = (await api.get(`/accounts/${id}`)).body;
  const refused = await api.post(`/accounts/${id}`, { wallet: "suspended", ...wrong });
  expect(refused.status).toBe(400);
  expect(refused.body).toEqual({
    error: "invalid_request",
    message: expect.stringContaining(field),
    fields: { [field]: expect.any(String) },
  });
  expect((await api.get(`/accounts/${id}`)).body).toEqual(before);
});

test.each([
  {},
  { name: "" },
  { name: " " },
  { name: 7 },
  { name: "x".repeat(121) },
  { name: "a\u0007" },
  { name: "A", sandbox: "yes" },
  { name: "A", standing: "active" },
])("no account is created from %j", async (body) => {
  expect(await api.post("/accounts", body)).toMatchObject({ status: 400, body: { error: "invalid_request" } });
});

test("callback version 3 is a conflict without a callback secret and accepted with one", async () => {
  const { account_id: id } = await api.newAccount();
  expect(await api.post(`/accounts/${id}`, { callback_version: 3 })).toMatchObject({ status: 409, body: { error: "conflict" } });
  const secret = await api.post(`/accounts/${id}/callback-secret`);
  expect(secret.body).toEqual({ callback_secret: expect.stringMatching(/^cbk_[A-Za-z0-9_-]{43}$/) });
  const changed = await api.post(`/accounts/${id}`, { callback_version: 3 });
  expect(changed).toMatchObject({ status: 200, body: { callback_version: 3, callback_secret_set: true } });
});

test("services are switched by name, and an unknown one is refused", async () => {
  const { account_id: id } = await api.newAccount();
  const switched = await api.post(`/accounts/${id}/services`, { recharge: false, aeps: true, reason: "asked" });
  expect(switched.body.services).toEqual({ recharge: false, bills: false, transfers: false, bus: false, aeps: true });
  expect(await api.post(`/accounts/${id}/services`, { teleport: true })).toMatchObject({
    status: 400,
    body: { fields: { teleport: expect.any(String) } },
  });
  expect(await api.post(`/accounts/${id}/services`, { recharge: "yes" })).toMatchObject({
    status: 400,
    body: { fields: { recharge: expect.any(String) } },
  });
});

test("an allowlist is replaced with host bits masked, and refused if one entry is invalid", async () => {
  const { account_id: id } = await api.newAccount();
  const replaced = await api.post(`/accounts/${id}/allowlist`, { entries: ["127.0.0.77/8", "::1"] });
  expect(replaced).toMatchObject({ status: 200, body: { allowlist: ["127.0.0.0/8", "::1"] } });
  for (const bad of ["127.0.0.1/33", "nonsense", "300.1.1.1", "", 7, null]) {
    expect((await api.post(`/accounts/${id}/allowlist`, { entries: ["10.0.0.1", bad] })).status).toBe(400);
  }
  for (const body of [{}, { entries: "127.0.0.1" }, { entries: Array.from({ length: 501 }, () => "10.0.0.1") }, { entries: [], more: 1 }]) {
    expect((await api.post(`/accounts/${id}/allowlist`, body)).status).toBe(400);
  }
  expect((await api.get(`/accounts/${id}`)).body.allowlist).toEqual(["127.0.0.0/8", "::1"]);
});

test("staff see an account's tokens without their values and can revoke an additional one", async () => {
  const { account_id: id, api_token: first } = await api.newAccount();
  const input = { accountId: id, name: "Branch", scopes: ["bus" as const], readOnly: false, expiresAt: null };
  const made = await createToken(api.settings.ctx, "user:U1", input);
  if (made.kind !== "done") throw new Error("not created");
  const listed = await api.get(`/accounts/${id}/tokens`);
  expect(listed.body.items).toMatchObject([
    { name: "First token", primary: true },
    { name: "Branch", scopes: ["bus"] },
  ]);
  for (const value of [first, made.apiToken]) expect(listed.text).not.toContain(value.slice(9, -4));
  const revoked = await api.post(`/accounts/${id}/tokens/${made.tokenId}/revoke`, { reason: "leaked" });
  expect(revoked.body.items).toHaveLength(1);
  expect(api.settings.directory.findToken(made.apiToken)).toBeNull();
  expect((await api.post(`/accounts/${id}/tokens/${made.tokenId}/revoke`)).status).toBe(404);
  expect((await api.post(`/accounts/${id}/tokens/${listed.body.items[0].token_id}/revoke`)).status).toBe(409);
  expect((await api.get("/accounts/A0/tokens")).status).toBe(404);
});

test("tokens and secrets can be replaced, each is shown once, and no GET shows one", async () => {
  const { account_id: id, api_token: first } = await api.newAccount();
  const token = (await api.post(`/accounts/${id}/token`)).body;
  expect(token).toEqual({ api_token: expect.stringMatching(/^tok_live_/) });
  expect(api.settings.directory.byToken(first)).toBeNull();
  const signing = (await api.post(`/accounts/${id}/signing-secret`, {})).body;
  expect(signing).toEqual({ signing_secret: expect.stringMatching(/^sig_[A-Za-z0-9_-]{43}$/) });
  const again = (await api.post(`/accounts/${id}/signing-secret`, { reason: "leaked" })).body;
  const callback = (await api.post(`/accounts/${id}/callback-secret`)).body;
  const two = (await api.get(`/accounts/${id}`)).body.signing_secrets;
  expect(two).toEqual([
    { credential_id: expect.any(String), created_at: expect.stringMatching(TIME), expires_at: expect.stringMatching(TIME) },
    { credential_id: expect.any(String), created_at: expect.stringMatching(TIME), expires_at: null },
  ]);
  const revoked = await api.post(`/accounts/${id}/signing-secret/revoke-old`);
  expect(revoked).toMatchObject({ status: 200, body: { account_id: id, signing_secrets: [two[1]] } });
  const read = await Promise.all(["/accounts?limit=200", `/accounts/${id}`, "/audit?limit=200", "/keys"].map((path) => api.get(path)));
  const seen = read.map((answer) => answer.text).join();
  for (const secret of [first, token.api_token, signing.signing_secret, again.signing_secret, callback.callback_secret]) {
    expect(seen).not.toContain(secret.slice(9));
  }
  expect(seen).not.toMatch(/(tok_live|tok_test|sig|cbk|opk)_[A-Za-z0-9_-]{4}/);
});

test.each(["nobody", "A00000000000", "__proto__", "a.b", "x".repeat(90), "x".repeat(300), "%00", "%F0%9F%92%A9", "'"])(
  "no account has the id %s",
  async (id) => {
    const calls: readonly (readonly [string, object])[] = [
      ["", { standing: "paused" }],
      ["/services", { bus: true }],
      ["/allowlist", { entries: [] }],
      ["/token", {}],
      ["/signing-secret", {}],
      ["/signing-secret/revoke-old", {}],
      ["/callback-secret", {}],
    ];
    const answers = await Promise.all([
      api.get(`/accounts/${id}`),
      ...calls.map(([path, body]) => api.post(`/accounts/${id}${path}`, body)),
    ]);
    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { error: "not_found", message: expect.any(String) } });
  },
);

test("an account can be closed only with an empty wallet, and stays closed", async () => {
  const { account_id: accountId } = await api.newAccount();
  const pay = (amount: string, reference: string) => api.post(`/accounts/${accountId}/wallet`, { amount, reference, note: "" });
  expect((await pay("5.00", "in")).status).toBe(200);
  expect(await api.post(`/accounts/${accountId}/close`, { reason: "left us" })).toMatchObject({
    status: 409,
    body: { error: "conflict", message: "The wallet is not empty: 5.0000 available, 0.0000 held." },
  });
  expect((await pay("-5.00", "out")).status).toBe(200);
  const closed = await api.post(`/accounts/${accountId}/close`, { reason: "left us" });
  expect(closed).toMatchObject({ status: 200, body: { standing: "inactive", closed_at: expect.stringMatching(TIME) } });
  for (const again of [
    api.post(`/accounts/${accountId}/close`),
    api.post(`/accounts/${accountId}`, { standing: "active" }),
    pay("5.00", "more"),
  ]) {
    expect((await again).status).toBe(409);
  }
  expect((await api.get(`/accounts/${accountId}`)).body).toMatchObject({ standing: "inactive" });
});

/** The orders of a process whose clock is that far behind. */
function ordersBehind(milliseconds: number): OrdersContext {
  const { sql, clock } = api.settings.ctx;
  return contextOf(sql, sql, { now: () => clock.now() - milliseconds });
}

test.each([
  ["that was just accepted", 0, false],
  ["that was answered pending long ago", 24 * 60 * 60 * 1000, true],
] as const)("an account is not closed while an order %s can still credit it", async (_, age, isPolled) => {
  const { account_id: accountId } = await api.newAccount();
  const orderId = await buildOrder(ordersBehind(age), accountId, { service: "aeps", state: "pending", credit: true });
  if (isPolled)
    await api.settings.ctx.sql`
      insert into pending_polls (account_id, order_id, why, since, due_at) values (${accountId}, ${orderId}, 'pending', now(), now())`;
  const close = () => api.post(`/accounts/${accountId}/close`, { reason: "left us" });
  expect(await close()).toMatchObject({ status: 409, body: { message: expect.stringContaining(`The order ${orderId} is pending`) } });
  expect((await api.post(`/orders/${orderId}/settle`, { status: "FAILED", reason: "no cash was paid out" })).status).toBe(200);
  expect((await close()).status).toBe(200);
});

test("money that returns to a closed account's wallet can be paid out, and none can be paid in", async () => {
  const { account_id: accountId } = await api.newAccount();
  const pay = (amount: string, reference: string) => api.post(`/accounts/${accountId}/wallet`, { amount, reference, note: "" });
  await pay("10.00", "in");
  const orderId = await buildOrder(ordersBehind(0), accountId, {});
  expect((await api.post(`/accounts/${accountId}/close`, { reason: "left us" })).status).toBe(200);
  expect((await api.post(`/orders/${orderId}/reverse`, { reason: "never credited" })).status).toBe(200);
  expect(await pay("5.00", "more")).toMatchObject({ status: 409, body: { message: "The account is closed." } });
  expect(await pay("-10.01", "too-much")).toMatchObject({ status: 409 });
  expect(await pay("-10.00", "paid-out")).toMatchObject({ status: 200, body: { balance: "0.0000" } });
});

test("accounts are found by part of their name, the start of their id, standing and sandbox", async () => {
  const [mill, mall] = [await api.newAccount({ name: "Zeta 50%_Mill" }), await api.newAccount({ name: "Zeta Mall", sandbox: true })];
  await api.post(`/accounts/${mall.account_id}`, { standing: "paused" });
  const found = async (query: string) =>
    (await api.get(`/accounts?${query}`)).body.items.map((one: { account_id: string }) => one.account_id);
  expect(await found("search=zeta")).toEqual([mall.account_id, mill.account_id]);
  expect(await found("search=50%25_m")).toEqual([mill.account_id]);
  expect(await found("search=zeta%25mall")).toEqual([]);
  expect(await found(`search=${mill.account_id.slice(0, 9).toLowerCase()}`)).toEqual([mill.account_id]);
  expect(await found("search=zeta&standing=paused")).toEqual([mall.account_id]);
  expect(await found("search=zeta&sandbox=false")).toEqual([mill.account_id]);
  expect((await found("search=%20")).length).toBeGreaterThan(2);
  const first = (await api.get("/accounts?search=zeta&limit=1")).body;
  expect(await found(`search=zeta&limit=1&after=${first.next}`)).toEqual([mill.account_id]);
  for (const query of ["standing=closed", "sandbox=yes", "search=%00", `search=${"x".repeat(121)}`])
    expect((await api.get(`/accounts?${query}`)).status).toBe(400);
});

test("a wallet shows its balance and its last entries, newest first", async () => {
  const { account_id: id } = await api.newAccount();
  expect((await api.get(`/accounts/${id}/wallet`)).body).toEqual({ balance: "0.0000", held: "0.0000", entries: [] });
  for (let entry = 1; entry <= 21; entry++)
    await api.post(`/accounts/${id}/wallet`, { amount: "2.5", reference: `r${entry}`, note: "cash" });
  await api.post(`/accounts/${id}/wallet`, { amount: "-0.5", reference: "back" });
  const { body } = await api.get(`/accounts/${id}/wallet`);
  expect([body.balance, body.held, body.entries.length]).toEqual(["52.0000", "0.0000", 20]);
  expect(body.entries.slice(0, 2)).toMatchObject([
    { entry_id: `${id}-22`, kind: "debit", amount: "-0.5000", balance_after: "52.0000", order_id: null },
    { entry_id: `${id}-21`, kind: "topup", amount: "2.5000", balance_after: "52.5000", note: "cash" },
  ]);
  expect((await api.get("/accounts")).body.items[0]).toMatchObject({ account_id: id, balance: "52.0000", held: "0.0000" });
  expect((await api.get("/accounts/NOBODY/wallet")).status).toBe(404);
});
