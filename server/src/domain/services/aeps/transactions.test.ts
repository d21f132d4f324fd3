import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Account } from "../../accounts/account.ts";
import { switchService } from "../../catalog/switch-service.ts";
import { createServiceFixture, type Json, type ServiceFixture } from "../testing/service-fixture.ts";
import { type AepsClient, aepsClient, DOWN_BANK, newAadhaar, ok, PID, refusal } from "./testing/aeps-client.ts";

let fixture: ServiceFixture;
let client: AepsClient;
beforeAll(async () => {
  fixture = await createServiceFixture();
  client = await aepsClient(await fixture.newClient());
});
afterEach(async () => {
  await switchService(fixture.switches, "test", { service: "aeps", enabled: true, opensAt: null, closesAt: null });
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const CALLS = ["balance_enquiry", "mini_statement", "cash_withdrawal", "aadhaar_pay"] as const;
const isEnquiry = (call: string) => call.endsWith("_enquiry") || call.endsWith("_statement");

async function newReady(rupees = 1_000) {
  const own = await aepsClient(await fixture.newClient(rupees));
  return { own, outlet: await own.ready() };
}
const balanceOf = async (own: AepsClient) => (await own.own.get("/balance")).body["balance"];

describe.each(CALLS)("%s", (call) => {
  const path = `/aeps/${call}`;
  const amount = isEnquiry(call) ? "0" : "500.0";

  test("is answered with the fields of the contract, and credits what it moves", async () => {
    const { own, outlet } = await newReady();
    const customer = newAadhaar();
    const sent = own.transaction(outlet, { aadhaar_enc: own.encrypt(customer), amount: "500.0" });
    const balance = isEnquiry(call) ? "1000.0000" : "1500.0000";
    const rrn = expect.stringMatching(/^[0-9]{12}$/);
    const { status, body } = await own.post(path, sent);
    expect(status).toBe(200);
    expect(body).toEqual({
      ok: true,
      status: "SUCCESS",
      code: 0,
      order_id: expect.stringMatching(/^[A-Z0-9]{12,32}$/),
      request_id: sent["request_id"],
      urid: sent["request_id"],
      operator_ref: rrn,
      amount,
      account: "9876543000",
      balance,
      message: expect.any(String),
      error: "",
      service: "aeps",
      fee: "0.0000",
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      updated_at: expect.any(String),
      aeps: {
        type: call,
        rrn,
        bank_name: "State Bank of India",
        aadhaar_masked: `XXXX XXXX ${customer.slice(-4)}`,
        customer_balance: expect.stringMatching(/^[0-9]+\.[0-9]{4}$/),
        entries: call === "mini_statement" ? expect.arrayContaining([expect.objectContaining({ narration: expect.any(String) })]) : [],
        outlet_id: outlet.outletId,
      },
    });
    expect((body["aeps"] as Json)["rrn"]).toBe(body["operator_ref"]);
    expect(await balanceOf(own)).toBe(balance);
    for (const query of [{ request_id: String(sent["request_id"]) }, { order_id: String(body["order_id"]) }])
      expect(await own.get("/aeps/transactions", query)).toEqual({ status: 200, body });
  });

  test("a retry gets the first result, also with a new PID block; other details are a conflict with the first order", async () => {
    const { own, outlet } = await newReady();
    const sent = own.transaction(outlet);
    const first = await ok(own.post(path, sent));
    const anew = { aadhaar_enc: own.encrypt(newAadhaar()), pid: `<a errCode="0"/>`, latitude: "1", longitude: "2", auth_ref: "AU1" };
    expect(await ok(own.post(path, { ...sent, ...anew }))).toEqual(first);
    for (const more of [
      { customer_mobile: "9876543001" },
      { bank_iin: "607152" },
      { outlet_id: "another" },
      ...(isEnquiry(call) ? [] : [{ amount: "550" }]),
    ]) {
      const other = refusal(409, "duplicate_reference", 124, sent["request_id"]);
      expect(await own.post(path, { ...sent, ...more })).toEqual({ ...other, body: { ...other.body, order_id: first["order_id"] } });
    }
    if (!isEnquiry(call)) expect(await ok(own.post(path, { ...sent, amount: "500.0000" }))).toEqual(first);
    expect(await balanceOf(own)).toBe(isEnquiry(call) ? "1000.0000" : "1500.0000");
  });

  test("a hundred times at once with one request_id makes one order", async () => {
    const { own, outlet } = await newReady(0);
    const sent = own.transaction(outlet);
    const all = await Promise.all(Array.from({ length: 100 }, () => own.post(path, sent)));
    // A slow machine refuses some of them as busy, which creates nothing.
    const replies = all.filter(({ status }) => status !== 503);
    expect(new Set(replies.map(({ body }) => body["order_id"])).size).toBe(1);
    // Each request waits by its own deadline, so that a slow machine answers some of them as pending.
    for (const { body } of replies) expect(["SUCCESS", "pending"]).toContain(body["status"]);
    await expect.poll(() => balanceOf(own)).toBe(isEnquiry(call) ? "0.0000" : "500.0000");
  });

  test("not switched on: a new one fails, a known one is rejected, and is found all the same", async () => {
    const { own, outlet } = await newReady();
    const sent = own.transaction(outlet);
    const known = await ok(own.post(path, sent));
    own.own.set({ services: new Set(["recharge"]) });
    const failed = await own.post(path, { ...sent, request_id: "new" });
    expect(failed).toMatchObject({
      status: 200,
      body: { ok: false, status: "failed", error: "service_not_enabled", code: 331, order_id: "" },
    });
    expect(failed.body).toMatchObject({ request_id: "new", urid: "new", amount: "500", balance: null, operator_ref: null });
    expect(await own.post(path, sent)).toMatchObject({
      status: 403,
      body: { status: "rejected", error: "service_not_enabled", code: 331 },
    });
    const query = { request_id: String(sent["request_id"]) };
    expect((await own.get("/aeps/transactions", query)).body).toMatchObject({ order_id: known["order_id"] });
    expect(await own.get("/aeps/transactions", { request_id: "none" })).toMatchObject({ status: 403, body: { code: 331 } });
    expect(await own.own.get("/aeps/transactions", query)).toMatchObject({ status: 403, body: { code: 331 } });
  });

  test("unsigned is 401, and makes nothing", async () => {
    const { own, outlet } = await newReady();
    const sent = own.transaction(outlet);
    expect(await own.own.post(path, sent)).toMatchObject({ status: 401, body: { error: "invalid_signature", code: 113 } });
    expect(await own.get("/aeps/transactions", { request_id: String(sent["request_id"]) })).toMatchObject({ status: 404 });
  });
});

type Reason = { readonly error: string; readonly account?: Partial<Account>; readonly enabled?: boolean; readonly againstKnown: boolean };
const REASONS: readonly Reason[] = [
  { error: "account_inactive", account: { standing: "inactive" }, againstKnown: true },
  { error: "account_paused", account: { standing: "paused" }, againstKnown: true },
  { error: "kyc_not_verified", account: { kyc: "pending" }, againstKnown: true },
  { error: "agreement_not_signed", account: { agreement: "pending" }, againstKnown: true },
  { error: "wallet_suspended", account: { wallet: "suspended" }, againstKnown: false },
  { error: "service_off", enabled: false, againstKnown: true },
];

test.each(REASONS)("while $error stands a new transaction fails and a known one is answered as documented", async (reason) => {
  const { own, outlet } = await newReady();
  const sent = own.transaction(outlet);
  const known = await ok(own.post("/aeps/cash_withdrawal", sent));
  if (reason.account) own.own.set(reason.account);
  if (reason.enabled === false) await switchService(fixture.switches, "test", { service: "aeps", enabled: false });
  for (const [call, amount] of [
    ["cash_withdrawal", "500"],
    ["balance_enquiry", "0"],
  ] as const) {
    const reply = await own.post(`/aeps/${call}`, { ...sent, request_id: "new" });
    expect(reply).toEqual({
      status: 200,
      body: {
        ok: false,
        status: "failed",
        code: 331,
        order_id: "",
        urid: "new",
        request_id: "new",
        operator_ref: null,
        amount,
        account: "9876543000",
        balance: null,
        message: expect.any(String),
        error: reason.error,
      },
    });
  }
  const again = await own.post("/aeps/cash_withdrawal", sent);
  if (reason.againstKnown) expect(again).toMatchObject({ status: 403, body: { status: "rejected", error: reason.error, code: 331 } });
  else expect(again).toMatchObject({ status: 200, body: { order_id: known["order_id"] } });
});

test("one request_id serves every call once, and a lookup by it shows the newest", async () => {
  const { own, outlet } = await newReady();
  const orders = new Map<string, unknown>();
  for (const call of CALLS) {
    orders.set(call, (await ok(own.post(`/aeps/${call}`, own.transaction(outlet, { request_id: "shared" }))))["order_id"]);
    fixture.orders.clock.advance(1);
  }
  expect(new Set(orders.values()).size).toBe(4);
  expect((await own.get("/aeps/transactions", { request_id: "shared" })).body).toMatchObject({
    order_id: orders.get("aadhaar_pay"),
    aeps: { type: "aadhaar_pay" },
  });
});

describe("a lookup", () => {
  test("takes exactly one reference", async () => {
    for (const query of [{}, { request_id: "a", order_id: "B" }])
      expect(await client.get("/aeps/transactions", query)).toMatchObject({
        status: 400,
        body: { fields: { request_id: expect.any(String) } },
      });
  });

  test("does not find another account's transaction, nor one of another service", async () => {
    const { own, outlet } = await newReady();
    const { order_id: theirs } = await ok(own.withdraw(outlet, { request_id: "theirs" }));
    const { order_id: recharge } = (await client.own.recharge("a-recharge")).body;
    for (const query of [
      { request_id: "theirs" },
      { order_id: String(theirs) },
      { order_id: String(recharge) },
      { request_id: "a-recharge" },
    ])
      expect(await client.get("/aeps/transactions", query)).toMatchObject({ status: 404, body: { error: "not_found", code: 125 } });
  });
});

describe("a transaction is refused, and moves and makes nothing,", () => {
  const wrongDevice = PID.replace("<DeviceInfo ", `<DeviceInfo srno="STOLEN" `);
  test.each<[string, Json, number, string, number]>([
    ["when its bank is not live", { bank_iin: DOWN_BANK }, 422, "bank_not_live", 4408],
    ["when there is no such bank", { bank_iin: "999999" }, 422, "bank_not_live", 4408],
    ["with too little", { amount: "50" }, 422, "amount_out_of_range", 127],
    ["with too much", { amount: "10050" }, 422, "amount_out_of_range", 127],
    ["with an amount between the steps", { amount: "120" }, 422, "amount_multiple", 4409],
    ["with a PID block that is none", { pid: "<PidData/>" }, 422, "invalid_pid", 4405],
    ["with another device's PID block", { pid: wrongDevice }, 422, "device_not_registered", 4406],
    ["with an Aadhaar number that is none", { aadhaar_enc: "AAAA" }, 422, "invalid_aadhaar", 4407],
    ["with an authentication that is none", { auth_ref: "AUNONE" }, 403, "txn_auth_required", 4404],
    ["at an outlet that there is not", { outlet_id: "OUT0" }, 404, "outlet_not_found", 4401],
  ])("%s", async (_, more, status, error, code) => {
    const { own, outlet } = await newReady();
    for (const call of ["cash_withdrawal", "aadhaar_pay"]) {
      const sent = own.transaction(outlet, more);
      expect(await own.post(`/aeps/${call}`, sent)).toEqual(refusal(status, error, code, sent["request_id"]));
      const query = { request_id: String(sent["request_id"]) };
      expect(await own.get("/aeps/transactions", query)).toEqual(refusal(404, "not_found", 125, sent["request_id"]));
      // The reference is as good as new.
      await ok(own.post(`/aeps/${call}`, own.transaction(outlet, { request_id: sent["request_id"] })));
    }
    expect(await balanceOf(own)).toBe("2000.0000");
  });
});

describe("a customer's withdrawals at an outlet", () => {
  const tooMany = (requestId: unknown) => refusal(422, "customer_daily_count", 4410, requestId);

  test("are five an India day; other calls, customers and outlets do not count", async () => {
    const { own, outlet } = await newReady();
    const customer = newAadhaar();
    const of = () => ({ aadhaar_enc: own.encrypt(customer) });
    for (let n = 0; n < 5; n++) {
      await ok(own.post("/aeps/aadhaar_pay", own.transaction(outlet, of())));
      await ok(own.withdraw(outlet, of()));
    }
    const sent = own.transaction(outlet, of());
    expect(await own.post("/aeps/cash_withdrawal", sent)).toEqual(tooMany(sent["request_id"]));
    for (const call of ["aadhaar_pay", "balance_enquiry", "mini_statement"])
      await ok(own.post(`/aeps/${call}`, own.transaction(outlet, of())));
    await ok(own.withdraw(outlet));
    await ok(own.withdraw(await own.ready(), of()));
    fixture.orders.clock.advance(24 * 60 * 60 * 1000);
    await ok(own.authenticate(outlet));
    await ok(own.post("/aeps/cash_withdrawal", sent));
  });

  test("count while they are pending, and not once they have FAILED", async () => {
    const { own, outlet } = await newReady();
    const customer = newAadhaar();
    const withdraw = (mobile: string) => own.withdraw(outlet, { aadhaar_enc: own.encrypt(customer), customer_mobile: mobile });
    for (let n = 0; n < 3; n++) expect((await withdraw("9876543102")).body["status"]).toBe("FAILED");
    for (let n = 0; n < 5; n++) expect((await withdraw("9876543110")).body["status"]).toBe("pending");
    expect((await withdraw("9876543000")).body["error"]).toBe("customer_daily_count");
  });

  test("of thirty at once exactly five are made", async () => {
    const { own, outlet } = await newReady(0);
    const aadhaar_enc = own.encrypt(newAadhaar());
    const replies = await Promise.all(Array.from({ length: 30 }, () => own.withdraw(outlet, { aadhaar_enc })));
    expect(replies.filter(({ body }) => body["status"] === "SUCCESS")).toHaveLength(5);
    expect(replies.filter(({ body }) => body["error"] === "customer_daily_count")).toHaveLength(25);
    expect(await balanceOf(own)).toBe("2500.0000");
  });
});
