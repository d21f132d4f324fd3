import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Account } from "../../accounts/account.ts";
import { switchOperator } from "../../catalog/switch-operator.ts";
import { switchService } from "../../catalog/switch-service.ts";
import { money } from "../../orders/testing/fixture.ts";
import { type Client, createServiceFixture, type Json, type ServiceFixture } from "../testing/service-fixture.ts";

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = await createServiceFixture();
});
afterEach(async () => {
  await switchService(fixture.switches, "test", { service: "recharge", enabled: true, opensAt: null, closesAt: null });
  await switchOperator(fixture.switches, "test", { operator: "AT", enabled: true });
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const SUCCESS = {
  status: "SUCCESS",
  code: 0,
  order_id: expect.stringMatching(/^[A-Z0-9]{12,32}$/),
  operator_ref: expect.stringMatching(/^SIM[0-9]{12}$/),
  amount: "10",
  account: "9876543000",
  message: expect.any(String),
};

/** A minute's opening that is over by now. */
const CLOSED = { service: "recharge", opensAt: "00:00", closesAt: "00:01" } as const;
const closeForTheNight = async () => {
  // The one minute in which it would be open is not this test's affair.
  const open = new Date(Date.now() + 5.5 * 3_600_000).toISOString().slice(11, 16) === "00:00";
  await switchService(fixture.switches, "test", open ? { ...CLOSED, opensAt: "12:00", closesAt: "12:01" } : CLOSED);
};

type Reason = {
  readonly error: string;
  readonly shape: "account" | "ordinary";
  readonly account?: Partial<Account>;
  readonly switched?: () => Promise<unknown>;
  /** Does it stand against a known reference with other details? */
  readonly stands: boolean;
};

const REASONS: readonly Reason[] = [
  { error: "account_inactive", shape: "account", account: { standing: "inactive" }, stands: true },
  { error: "account_paused", shape: "account", account: { standing: "paused" }, stands: true },
  { error: "kyc_not_verified", shape: "account", account: { kyc: "pending" }, stands: true },
  { error: "agreement_not_signed", shape: "account", account: { agreement: "pending" }, stands: true },
  { error: "service_closed", shape: "account", switched: closeForTheNight, stands: false },
  { error: "service_not_enabled", shape: "ordinary", account: { services: new Set(["bills"]) }, stands: true },
  { error: "wallet_suspended", shape: "ordinary", account: { wallet: "suspended" }, stands: false },
  {
    error: "service_off",
    shape: "ordinary",
    switched: () => switchService(fixture.switches, "test", { service: "recharge", enabled: false }),
    stands: true,
  },
  {
    error: "operator_off",
    shape: "ordinary",
    switched: () => switchOperator(fixture.switches, "test", { operator: "AT", enabled: false }),
    stands: false,
  },
  { error: "daily_limit", shape: "ordinary", account: { dailyLimit: money(15) }, stands: false },
];

const isAccountReason = (reason: Reason) => reason.shape === "account" && reason.error !== "service_closed";

/** A client with one recharge, `before`, and then the reason. */
async function underReason(reason: Reason): Promise<{ readonly client: Client; readonly before: Json }> {
  const client = await fixture.newClient();
  const { body: before } = await client.recharge("before");
  expect(before).toEqual({ ...SUCCESS, urid: "before", balance: "990.0000" });
  if (reason.account) client.set(reason.account);
  await reason.switched?.();
  return { client, before };
}

async function restore(client: Client): Promise<void> {
  client.set({
    standing: "active",
    kyc: "verified",
    agreement: "signed",
    wallet: "active",
    dailyLimit: null,
    services: new Set(["recharge"]),
  });
}

describe.each(REASONS)("while $error stands", (reason) => {
  test("a new recharge fails in its documented shape, and leaves nothing behind", async () => {
    const { client } = await underReason(reason);
    const reply = await client.recharge("new", { amount: "10.50" });
    expect(reply).toEqual({
      status: 200,
      body: {
        ...(reason.shape === "account" ? { ok: false, error: reason.error } : {}),
        status: "failed",
        code: 331,
        order_id: "",
        urid: "new",
        operator_ref: null,
        amount: "10.50",
        account: "9876543000",
        balance: null,
        message: expect.any(String),
      },
    });
    await restore(client);
    expect((await client.get("/recharge", { urid: "new" })).status).toBe(404);
    expect((await client.get("/balance")).body["balance"]).toBe("990.0000");
  });

  test("a retry with the same details gets that transaction's own result", async () => {
    const { client, before } = await underReason(reason);
    const reply = await client.recharge("before", { amount: "10.00" });
    expect(reply).toEqual({ status: 200, body: { ...before, balance: isAccountReason(reason) ? null : "990.0000" } });
  });

  test("a retry with other details is refused as the table says", async () => {
    const { client, before } = await underReason(reason);
    const reply = await client.recharge("before", { amount: "11" });
    const refused = reason.stands
      ? { error: reason.error, code: 331 }
      : { error: "duplicate_reference", code: 124, order_id: before["order_id"] };
    expect(reply).toEqual({
      status: reason.stands ? 403 : 409,
      body: { status: "rejected", ...refused, urid: "before", message: expect.any(String) },
    });
  });

  test("a look-up is refused for an account reason only", async () => {
    const { client, before } = await underReason(reason);
    const reply = await client.get("/recharge", { urid: "before" });
    if (!isAccountReason(reason)) return expect(reply).toEqual({ status: 200, body: { ...before, balance: "990.0000" } });
    expect(reply).toEqual({
      status: 403,
      body: { status: "rejected", error: reason.error, code: 331, urid: "before", message: expect.any(String) },
    });
  });
});

describe("a mistake in the request", () => {
  test.each([
    { name: "an unknown operator", more: { operator: "ZZ" }, status: 422, error: "unknown_operator", code: 131 },
    { name: "too little", more: { amount: "9.9999" }, status: 422, error: "amount_out_of_range", code: 127 },
    { name: "too much", more: { amount: "5000.0001" }, status: 422, error: "amount_out_of_range", code: 127 },
    { name: "more than there is", more: { amount: "1000.0001" }, status: 402, error: "insufficient_balance", code: 126 },
  ])("$name is rejected with $status, and the reference stays free", async ({ more, status, error, code }) => {
    const client = await fixture.newClient();
    expect(await client.recharge("u1", more)).toEqual({
      status,
      body: { status: "rejected", error, code, urid: "u1", message: expect.any(String) },
    });
    expect((await client.recharge("u1")).body).toMatchObject({ status: "SUCCESS", balance: "990.0000" });
  });

  test.each([
    ["account", { account: "12345" }],
    ["account", { account: "98765 43000" }],
    ["account", { account: 9876543000 }],
    ["amount", { amount: 10 }],
    ["amount", { amount: "0" }],
    ["amount", { amount: "010" }],
    ["amount", { amount: "1e3" }],
    ["amount", { amount: "10.00001" }],
    ["operator", { operator: "" }],
    ["operator", { operator: null }],
    ["urid", { urid: "" }],
    ["urid", { urid: "a b" }],
    ["urid", { urid: "x".repeat(65) }],
    ["circle", { circle: 7 }],
  ])("a wrong %s is named: %j", async (field, more) => {
    const reply = await (await fixture.newClient()).recharge("u1", more);
    expect(reply).toMatchObject({ status: 400, body: { error: "invalid_request", code: 120, fields: { [field]: expect.any(String) } } });
  });

  test("a known reference comes before every mistake in the details", async () => {
    const client = await fixture.newClient();
    const { body: first } = await client.recharge("u1");
    for (const more of [{ operator: "ZZ" }, { account: "12345" }, { amount: "5001" }, { amount: "4000" }]) {
      expect(await client.recharge("u1", more)).toMatchObject({ status: 409, body: { order_id: first["order_id"] } });
    }
  });
});

describe("the same details", () => {
  test("are the same amount as money, the same operator after aliases; circle does not count; the first text is echoed", async () => {
    const client = await fixture.newClient();
    const { body: first } = await client.recharge("u1", { amount: "10.5", circle: "PB" });
    for (const more of [
      { amount: "10.50" },
      { amount: "10.5000", operator: "AIRTEL" },
      { amount: "10.5", circle: "DL" },
      { amount: "10.5", later: 1 },
    ]) {
      expect(await client.recharge("u1", more)).toEqual({ status: 200, body: first });
    }
    for (const more of [{ amount: "10.5001" }, { amount: "10.5", operator: "JO" }, { amount: "10.5", account: "9876543001" }]) {
      expect((await client.recharge("u1", more)).status).toBe(409);
    }
    expect((await client.get("/balance")).body["balance"]).toBe("989.5000");
  });

  test("a hundred times at once make one order, one debit, one result", async () => {
    const client = await fixture.newClient();
    const replies = await Promise.all(Array.from({ length: 100 }, () => client.recharge("same")));
    expect(new Set(replies.map((reply) => `${reply.status} ${reply.body["order_id"]} ${reply.body["status"]}`)).size).toBe(1);
    expect((await client.get("/balance")).body["balance"]).toBe("990.0000");
  });
});

test("the daily limit counts what came before it was set, frees what failed, and is reached exactly", async () => {
  const client = await fixture.newClient();
  await client.recharge("u1");
  client.set({ dailyLimit: money(30) });
  await client.recharge("u2", { account: "9876543102" });
  expect((await client.recharge("u3", { amount: "20.0001" })).body).toMatchObject({ status: "failed", code: 331, order_id: "" });
  expect((await client.recharge("u3", { amount: "20" })).body).toMatchObject({ status: "SUCCESS" });
  expect((await client.recharge("u4")).body).toMatchObject({ status: "failed", message: expect.stringContaining("limit") });
});

test("an order of another account is not found, by urid or by order_id", async () => {
  const [one, other] = [await fixture.newClient(), await fixture.newClient()];
  const { body } = await one.recharge("u1");
  expect((await one.get("/recharge", { order_id: String(body["order_id"]) })).body).toEqual(body);
  expect((await other.get("/recharge", { order_id: String(body["order_id"]) })).status).toBe(404);
  expect((await other.get("/recharge", { urid: "u1" })).status).toBe(404);
});

test.each([{}, { urid: "a", order_id: "b" }, { urid: "a b" }])("a look-up takes exactly one reference: %j is refused", async (query) => {
  expect(await (await fixture.newClient()).get("/recharge", query as Record<string, string>)).toMatchObject({
    status: 400,
    body: { error: "invalid_request" },
  });
});

test.each([
  ["", "must not be empty"],
  ["A".repeat(65), "must have at most 64 characters"],
])("a look-up by the order_id %j is refused with the reason", async (order_id, reason) => {
  expect(await (await fixture.newClient()).get("/recharge", { order_id })).toMatchObject({
    status: 400,
    body: { error: "invalid_request", fields: { order_id: reason } },
  });
});

test.each([
  ["/recharge", { order_id: "a\0b" }, "order_id"],
  ["/plans", { operator: "AT", circle: "\0" }, "circle"],
  ["/transactions", { service: "\0" }, "service"],
])("a NUL in the query of %s is refused with its name, whatever the field", async (path, query, name) => {
  expect(await (await fixture.newClient()).get(path, query as unknown as Record<string, string>)).toMatchObject({
    status: 400,
    body: { error: "invalid_request", fields: { [name]: "must not contain a NUL character" } },
  });
});
