import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newOrder } from "../../../domain/orders/testing/fixture.ts";
import { accept, settle, topUp } from "../../../domain/orders/testing/operations.ts";
import { createWriter } from "../../../domain/orders/write/writer.ts";
import { indiaDate, indiaDateTime } from "../../../platform/core/india-time.ts";
import { moneyOf } from "../../../platform/core/money.ts";
import { createLog } from "../../../platform/observability/log.ts";
import { type TestApi, testApi } from "../testing/api.ts";

const DAY = 24 * 60 * 60 * 1000;

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());

const now = () => api.settings.clock.now();
const set = async (body: object) => (await api.post("/pricing", body)).body;
const preview = async (accountId: string, more = "") =>
  (await api.get(`/pricing/preview?account_id=${accountId}&service=recharge&operator=AT&amount=100${more}`)).body;

describe("a rule", () => {
  test("is in force when its reply is sent, shown as it was set, and in the audit log", async () => {
    const { account_id } = await api.newAccount({ name: "Asha Stores" });
    const terms = { fee: { percent: "1.5", flat: "0.25", min: "1", max: "20" }, commission: { percent: "0.75" } };
    const { status, body } = await api.post("/pricing", {
      ...{ account_id, service: "recharge", operator: "AIRTEL", ...terms },
      reason: "Agreement of May",
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      rule_id: expect.stringMatching(/^[0-9A-Z]{18}$/),
      account_id,
      account_name: "Asha Stores",
      service: "recharge",
      operator: "AT",
      operator_name: "Airtel",
      fee: { percent: "1.50", flat: "0.2500", min: "1.0000", max: "20.0000" },
      commission: { percent: "0.75", flat: "0.0000", min: null, max: null },
      state: "in_force",
      valid_from: expect.stringContaining(indiaDate(now())),
      ended_at: null,
      reason: "Agreement of May",
      created_by: "operator-key",
      created_at: expect.any(String),
      ended_by: null,
    });
    expect(await preview(account_id)).toEqual({ amount: "100.0000", fee: "1.7500", commission: "0.7500", rule: body });
    expect((await api.get(`/pricing/${body.rule_id}`)).body).toEqual(body);
    const trail = await api.get(`/audit?subject_kind=commercial&subject_id=${body.rule_id}`);
    expect(trail.body.items).toMatchObject([
      {
        action: "commercial.set",
        actor: "operator-key",
        details: {
          ...{ account_id, service: "recharge", operator: "AT", reason: "Agreement of May" },
          fee: { flat: "0.2500", basis_points: "150", min: "1.0000", max: "20.0000" },
        },
      },
    ]);
  });

  test("ends the one before it for the same, which stays to be read", async () => {
    const { account_id } = await api.newAccount();
    const first = await set({ account_id, fee: { flat: "1" } });
    const second = await set({ account_id, fee: { flat: "2" } });
    expect(await preview(account_id)).toMatchObject({ fee: "2.0000", rule: { rule_id: second.rule_id } });
    expect((await api.get(`/pricing/${first.rule_id}`)).body).toMatchObject({
      state: "ended",
      ended_at: second.valid_from,
      ended_by: null,
    });
    const listed = (await api.get(`/pricing?account_id=${account_id}`)).body.items;
    expect(listed.map((rule: { rule_id: string; state: string }) => [rule.rule_id, rule.state])).toEqual([
      [second.rule_id, "in_force"],
      [first.rule_id, "ended"],
    ]);
  });

  test("of a later day holds from that day's midnight in India on, and can be taken back until then", async () => {
    const { account_id } = await api.newAccount();
    const current = await set({ account_id, fee: { flat: "1" } });
    const valid_from = indiaDate(now() + 3 * DAY);
    const later = await set({ account_id, fee: { flat: "2" }, valid_from });
    expect(later).toMatchObject({ state: "scheduled", valid_from: `${valid_from} 00:00:00` });
    expect(await preview(account_id)).toMatchObject({ fee: "1.0000" });
    expect((await api.get(`/pricing/${current.rule_id}`)).body).toMatchObject({ state: "in_force", ended_at: later.valid_from });
    expect((await api.post(`/pricing/${later.rule_id}/end`, { reason: "not yet" })).body).toMatchObject({
      ...{ state: "ended", ended_by: "operator-key" },
    });
    expect((await api.get(`/pricing/${current.rule_id}`)).body).toMatchObject({ state: "in_force", ended_at: null });
  });

  test("that is ended holds no longer, and what is more general counts again", async () => {
    const { account_id } = await api.newAccount();
    await set({ account_id, fee: { flat: "1" } });
    const closer = await set({ account_id, service: "recharge", fee: { flat: "2" } });
    expect(await preview(account_id)).toMatchObject({ fee: "2.0000" });
    expect(await api.post(`/pricing/${closer.rule_id}/end`)).toMatchObject({ status: 200, body: { state: "ended" } });
    expect(await preview(account_id)).toMatchObject({ fee: "1.0000" });
    expect(await api.post(`/pricing/${closer.rule_id}/end`)).toMatchObject({ status: 409 });
    expect(await api.post("/pricing/R0/end")).toMatchObject({ status: 404 });
  });

  test("that gives nothing frees an account from what holds for all", async () => {
    const { account_id } = await api.newAccount();
    const general = await set({ all_accounts: true, service: "recharge", operator: "AT", fee: { flat: "9" } });
    expect(await preview(account_id)).toMatchObject({ fee: "9.0000", rule: { account_id: null } });
    await set({ account_id });
    expect(await preview(account_id)).toMatchObject({ fee: "0.0000", commission: "0.0000", rule: { account_id } });
    await api.post(`/pricing/${general.rule_id}/end`);
  });
});

describe("a rule that cannot be", () => {
  const WRONG: readonly (readonly [field: string, body: object])[] = [
    ["account_id", { account_id: "A0NOBODY" }],
    ["service", { service: "taxi" }],
    ["operator", { service: "recharge", operator: "ZZ" }],
    ["operator", { operator: "AT" }],
    ["fee.percent", { fee: { percent: "100.01" } }],
    ["fee.percent", { fee: { percent: "1.234" } }],
    ["fee.percent", { fee: { percent: "-1" } }],
    ["fee.percent", { fee: { percent: 1 } }],
    ["fee.flat", { fee: { flat: "-1" } }],
    ["fee.min", { fee: { flat: "1", min: "1" } }],
    ["commission.max", { commission: { percent: "1", min: "5", max: "4" } }],
    ["commission.max", { commission: { percent: "1", max: "0" } }],
    ["valid_from", { valid_from: "2026-02-30" }],
    ["valid_from", { valid_from: "2020-01-01" }],
    ["rate", { rate: {} }],
  ];
  test.each(WRONG)("%s is named: %j", async (field, body) => {
    const before = (await api.get("/pricing")).body.items.length;
    const whose = "account_id" in body ? {} : { all_accounts: true };
    expect(await api.post("/pricing", { ...whose, ...body })).toMatchObject({
      status: 400,
      body: { fields: { [field]: expect.any(String) } },
    });
    expect((await api.get("/pricing")).body.items.length).toBe(before);
  });

  test.each([
    {},
    { account_id: null },
    { account_id: "" },
    { all_accounts: false },
    { all_accounts: "true" },
    { account_id: "A0NOBODY", all_accounts: true },
    { account_id: "Asha Stores" },
  ])("nobody means everybody by leaving the account out: %j", async (whose) => {
    const before = (await api.get("/pricing")).body.items.length;
    for (const path of ["/pricing", "/pricing/impact"]) {
      const { status, body } = await api.post(path, { ...whose, fee: { flat: "1" } });
      expect([status, Object.keys(body.fields).some((name) => ["account_id", "all_accounts"].includes(name))]).toEqual([400, true]);
    }
    expect((await api.get("/pricing")).body.items.length).toBe(before);
  });

  test("today is now, so it is no day to come", async () => {
    expect(await api.post("/pricing", { all_accounts: true, valid_from: indiaDate(now()) })).toMatchObject({
      status: 400,
      body: { fields: { valid_from: expect.any(String) } },
    });
  });

  test("nor for an account that is closed", async () => {
    const { account_id } = await api.newAccount();
    await api.post(`/accounts/${account_id}/close`);
    expect(await api.post("/pricing", { account_id })).toMatchObject({
      status: 400,
      body: { fields: { account_id: expect.any(String) } },
    });
  });
});

test("the list can be asked by account, service, operator and state, and followed page by page", async () => {
  const { account_id } = await api.newAccount();
  for (const operator of ["AT", "JO", "VI", "BT", "BS"]) await set({ account_id, service: "recharge", operator, fee: { flat: "1" } });
  await set({ account_id, service: "bills", operator: "Tata Power, Delhi", valid_from: indiaDate(now() + 3 * DAY) });
  const asked = async (query: string) =>
    (await api.get(`/pricing?account_id=${account_id}${query}`)).body.items.map((rule: { operator: string }) => rule.operator);
  expect(await asked("&operator=JIO")).toEqual(["JO"]);
  expect(await asked("&service=bills")).toEqual(["Tata Power, Delhi"]);
  expect(await asked("&state=scheduled")).toEqual(["Tata Power, Delhi"]);
  const first = (await api.get(`/pricing?account_id=${account_id}&state=in_force&limit=3`)).body;
  const second = (await api.get(`/pricing?account_id=${account_id}&state=in_force&limit=3&after=${first.next}`)).body;
  expect([...first.items, ...second.items].map((rule) => rule.operator)).toEqual(["BS", "BT", "VI", "JO", "AT"]);
  expect(second.next).toBeNull();
});

describe("the impact of a rule", () => {
  /** Successes of so many days ago. */
  async function ordersOf(
    accountId: string,
    daysAgo: number,
    orders: readonly (readonly [rupees: number, operator: string])[],
  ): Promise<void> {
    const { sql } = api.settings.database;
    const clock = { now: () => now() - daysAgo * DAY };
    const { write } = createWriter({ connection: sql, sql, clock, processId: "test", log: createLog("silent") });
    await write(topUp(accountId, 10_000, `t${daysAgo}`));
    for (const [rupees, operator] of orders) {
      const order = newOrder(accountId, { operator, amount: moneyOf(BigInt(rupees * 10_000)), createdAt: clock.now() });
      await write(accept(order));
      await write(settle(order, operator === "MT" ? "FAILED" : "SUCCESS"));
    }
  }

  test("is what the last thirty days' successes would have cost and earned, beside what they would by what is in force", async () => {
    const { account_id } = await api.newAccount();
    const days = [
      [100, "AT"],
      [250, "AT"],
      [333, "JO"],
      [500, "MT"],
    ] as const;
    await ordersOf(account_id, 2, days);
    await ordersOf(account_id, 29, [[10, "AT"]]);
    await ordersOf(account_id, 31, [[5_000, "AT"]]);
    await set({ account_id, fee: { flat: "1" } });
    await set({ account_id, service: "recharge", operator: "JO", fee: { flat: "7" } });
    const asked = async (body: object) => (await api.post("/pricing/impact", { account_id, ...body })).body;
    // A closer rule is in force for JO: this one would not count there.
    expect(await asked({ service: "recharge", fee: { percent: "1" }, commission: { percent: "0.5", max: "1" } })).toEqual({
      days: 30,
      since: expect.stringContaining(indiaDateTime(now() - 30 * DAY).slice(0, 10)),
      complete: true,
      orders: 3,
      accounts: 1,
      value: "360.0000",
      fee: "3.6000",
      commission: "1.5500",
      current_fee: "3.0000",
      current_commission: "0.0000",
    });
    expect(await asked({ service: "recharge", operator: "JO", fee: { flat: "2" } })).toMatchObject({
      ...{ orders: 1, value: "333.0000", fee: "2.0000", current_fee: "7.0000" },
    });
    expect(await asked({ service: "bills" })).toMatchObject({ orders: 0, value: "0.0000", fee: "0.0000" });
    expect(await api.post("/pricing/impact", { account_id: "A0NOBODY" })).toMatchObject({ status: 400 });
  });

  test("of a rule for all counts every account's orders", async () => {
    const { account_id } = await api.newAccount();
    const rule = { all_accounts: true, service: "recharge", operator: "TP", fee: { flat: "1" } };
    const before = (await api.post("/pricing/impact", rule)).body.orders;
    await ordersOf(account_id, 1, [[10, "TP"]]);
    const after = (await api.post("/pricing/impact", rule)).body;
    expect(after).toMatchObject({ orders: before + 1, accounts: 1, fee: "1.0000" });
  });
});
