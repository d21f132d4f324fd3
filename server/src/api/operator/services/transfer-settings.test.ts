import { afterAll, beforeAll, expect, test } from "vitest";
import { orderRow } from "../../../domain/orders/testing/rows.ts";
import { requireMoney } from "../../../platform/core/money.ts";
import { type TestApi, testApi } from "../testing/api.ts";

const PATH = "/services/transfers/settings";
const DEFAULTS = {
  min_amount: "100.0000",
  max_amount: "5000.0000",
  month_limit: "25000.0000",
  fee_percent: "1.00",
  fee_least: "10.0000",
  penny_drop_fee: "3.0000",
};

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());

test("limits and fees of transfers are shown with their defaults", async () => {
  expect(await api.get(PATH)).toMatchObject({ status: 200, body: DEFAULTS });
});

test("a change keeps what it does not name, answers the whole, and is audited with who, what and why", async () => {
  const changed = await api.post(PATH, { max_amount: "10000", fee_percent: "0.8", reason: "New agreement with the bank" });
  const after = { ...DEFAULTS, max_amount: "10000.0000", fee_percent: "0.80" };
  expect(changed).toMatchObject({ status: 200, body: after });
  expect((await api.get(PATH)).body).toEqual(changed.body);
  const { items } = (await api.get("/audit?limit=1")).body;
  expect(items).toMatchObject([
    {
      actor: "operator-key",
      action: "transfers.settings_changed",
      subject_kind: "service",
      subject_id: "transfers",
      details: {
        changes: { max_amount: { from: "5000.0000", to: "10000.0000" }, fee_percent: { from: "1.00", to: "0.80" } },
        reason: "New agreement with the bank",
      },
    },
  ]);
  await api.post(PATH, { max_amount: "5000", fee_percent: "1" });
});

test("a change that changes nothing leaves no entry", async () => {
  const before = (await api.get("/audit?limit=1")).body.items[0].seq;
  expect((await api.post(PATH, { fee_least: "10.00" })).status).toBe(200);
  expect((await api.get("/audit?limit=1")).body.items[0].seq).toBe(before);
});

test.each([
  [{ min_amount: "0" }, "min_amount"],
  [{ min_amount: "6000" }, "max_amount"],
  [{ max_amount: "99" }, "max_amount"],
  [{ month_limit: "99.99" }, "month_limit"],
  [{ fee_percent: "100.01" }, "fee_percent"],
  [{ fee_percent: "-1" }, "fee_percent"],
  [{ fee_percent: 1 }, "fee_percent"],
  [{ fee_least: "1e3" }, "fee_least"],
  [{ penny_drop_fee: "-3" }, "penny_drop_fee"],
  [{ max_amount: null }, "max_amount"],
  [{ colour: "red" }, "colour"],
])("%j is refused by the name of its field, and nothing changes", async (body, field) => {
  const refused = await api.post(PATH, body);
  expect({ status: refused.status, fields: Object.keys(refused.body.fields) }).toEqual({ status: 400, fields: [field] });
  expect((await api.get(PATH)).body).toMatchObject(DEFAULTS);
});

test("two changes at once both stand", async () => {
  await Promise.all([api.post(PATH, { fee_least: "12" }), api.post(PATH, { penny_drop_fee: "2" })]);
  expect((await api.get(PATH)).body).toMatchObject({ fee_least: "12.0000", penny_drop_fee: "2.0000" });
  await api.post(PATH, { fee_least: "10", penny_drop_fee: "3" });
});

test("the impact counts what the proposed limits would have refused, and both sums of fees", async () => {
  for (const [rupees, sender] of [
    [200, "9812345678"],
    [4000, "9812345678"],
    [1500, "9812345679"],
  ] as const)
    await transferRow(rupees, sender);
  const { body } = await api.post(`${PATH}/impact`, { max_amount: "2000", month_limit: "4000", fee_percent: "2" });
  expect(body).toMatchObject({
    days: 30,
    complete: true,
    transfers: 3,
    accounts: 1,
    refused: 1,
    senders_over_limit: 1,
    // 10 for 200, then 30 for 1500; as it is: 10, 40 and 15.
    fees: "40.0000",
    current_fees: "65.0000",
  });
  expect((await api.post(`${PATH}/impact`, { max_amount: "99" })).status).toBe(400);
  expect((await api.get(PATH)).body).toMatchObject(DEFAULTS);
});

async function transferRow(rupees: number, sender: string): Promise<void> {
  const { sql } = api.settings.database;
  const now = api.settings.clock.now();
  const amount = requireMoney(String(rupees));
  const orderId = await orderRow(sql, {
    accountId: "AONE",
    at: now - 1000,
    rupees,
    operator: "HDFC",
    provider: "simulator",
    service: "transfers",
  });
  await sql`
    insert into transfer_quotes (account_id, transfer_ref, sender, beneficiary_id, mode, amount, amount_text, fee, created_at, expires_at,
      order_id, used_month)
    values ('AONE', ${`TRF${orderId}`}, ${sender}, 'BEN1', 'IMPS', ${amount}, ${String(rupees)}, 0, ${new Date(now)}, ${new Date(now)},
      ${orderId}, ${new Date(now + 5.5 * 3_600_000).toISOString().slice(0, 7)})`;
}

test("where fee rules need a second person, so do limits and fees of transfers", async () => {
  await api.post("/approval-rules", { wallet_threshold: "1000" });
  const held = await api.post(PATH, { fee_least: "15", reason: "Costs went up" });
  expect(held).toMatchObject({
    status: 202,
    body: {
      approval: {
        kind: "transfer_settings",
        state: "waiting",
        input: { changes: { fee_least: { from: "10.0000", to: "15.0000" } }, reason: "Costs went up" },
      },
    },
  });
  expect((await api.get(PATH)).body).toMatchObject(DEFAULTS);
  expect((await api.post(PATH, { max_amount: "99" })).status).toBe(400);
});
