import { afterAll, beforeAll, expect, test } from "vitest";
import type { ServiceFixture } from "../testing/service-fixture.ts";
import { commonFields } from "../testing/service-fixture.ts";
import { balanceOf, createFixture, OTP, ok, partOf } from "./testing/flow.ts";

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const PLAIN = (request_id: string) => ({ ...commonFields("transfers"), request_id, urid: request_id });
const INDIA_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

test("a sender sends money to a new beneficiary, step by step, and every reply is whole", async () => {
  const client = await fixture.newClient(10_000);
  const { signed } = client;
  const mobile = "9812345678";
  const sender = {
    mobile,
    name: "Asha Verma",
    status: "OTP_PENDING",
    limit_month: "25000.0000",
    used_month: "0.0000",
    available_month: "25000.0000",
  };
  const registration = { request_id: "s-1", mobile, first_name: "Asha", last_name: "Verma", pincode: "411001", consent: "Y" };
  const registered = await ok(signed.post("/transfers/senders", registration));
  expect(registered).toEqual({ ...PLAIN("s-1"), sender, otp_ref: expect.stringMatching(/^\S+$/) });
  const verified = await ok(signed.post("/transfers/senders/verify", { mobile, otp_ref: registered["otp_ref"], otp: OTP }));
  expect(verified).toEqual({ ...commonFields("transfers"), sender: { ...sender, status: "VERIFIED" } });
  expect(await ok(signed.get("/transfers/senders", { mobile }))).toEqual(verified);

  const added = await ok(
    signed.post("/transfers/beneficiaries", {
      request_id: "b-1",
      sender: mobile,
      name: "Ravi Kumar",
      account: "50100123456789",
      ifsc: "HDFC0001234",
      mobile: "9823456789",
    }),
  );
  const { beneficiary_id } = partOf(added, "beneficiary");
  const beneficiary = {
    beneficiary_id: expect.stringMatching(/^BEN[0-9A-Z]{18}$/),
    name: "Ravi Kumar",
    bank_name: "HDFC Bank",
    account_masked: "XXXXXXXXXX6789",
    ifsc: "HDFC0001234",
    verified: false,
    verified_name: "",
    status: "OTP_PENDING",
  };
  expect(added).toEqual({ ...PLAIN("b-1"), beneficiary, otp_ref: expect.stringMatching(/^\S+$/) });
  const active = await ok(signed.post("/transfers/beneficiaries/verify_otp", { beneficiary_id, otp_ref: added["otp_ref"], otp: OTP }));
  expect(active).toEqual({ ...commonFields("transfers"), beneficiary: { ...beneficiary, status: "ACTIVE" } });

  const before = Math.floor(fixture.orders.clock.now() / 1000);
  const quoted = await ok(signed.post("/transfers/quote", { request_id: "q-1", sender: mobile, beneficiary_id, amount: "2500.50" }));
  expect(quoted).toEqual({
    ...PLAIN("q-1"),
    transfer_ref: expect.stringMatching(/^TRF[0-9A-Z]{18}$/),
    fee: "25.0100",
    total: "2525.5100",
    limit_left: "25000.0000",
    valid_until: expect.any(Number),
  });
  expect(Number(quoted["valid_until"]) - before).toBeGreaterThanOrEqual(300);
  expect(Number(quoted["valid_until"]) - before).toBeLessThan(310);

  const sent = await ok(signed.post("/transfers", { request_id: "t-1", transfer_ref: quoted["transfer_ref"], otp: OTP }));
  expect(sent).toEqual({
    ok: true,
    status: "SUCCESS",
    code: 0,
    order_id: expect.stringMatching(/^[A-Z0-9]{12,32}$/),
    request_id: "t-1",
    urid: "t-1",
    operator_ref: expect.stringMatching(/^[0-9]{12}$/),
    amount: "2500.50",
    account: "XXXXXXXXXX6789",
    balance: "7474.4900",
    message: "The money transfer succeeded.",
    error: "",
    service: "transfers",
    fee: "25.0100",
    created_at: INDIA_TIME,
    updated_at: INDIA_TIME,
    transfer: {
      mode: "IMPS",
      beneficiary_id,
      beneficiary_name: "Ravi Kumar",
      account_masked: "XXXXXXXXXX6789",
      ifsc: "HDFC0001234",
      utr: sent["operator_ref"],
      sender: mobile,
      refund_status: "none",
    },
  });
  for (const query of [
    { request_id: "t-1" },
    { transfer_ref: String(quoted["transfer_ref"]) },
    { order_id: String(sent["order_id"]) },
  ] as Record<string, string>[]) {
    expect(await ok(signed.get("/transfers", query))).toEqual({ ...sent, updated_at: INDIA_TIME });
  }
  expect(await balanceOf(client)).toBe("7474.4900");
  const now = partOf(await ok(signed.get("/transfers/senders", { mobile })), "sender");
  expect(now).toMatchObject({ used_month: "2500.5000", available_month: "22499.5000" });
});

test("the banks are listed in pages, one of them is down, and the list is the same for every account", async () => {
  const client = await fixture.newClient(0);
  const all = (await ok(client.signed.get("/transfers/banks", { limit: "200" })))["items"] as Record<string, unknown>[];
  expect(all.length).toBeGreaterThanOrEqual(15);
  for (const bank of all) {
    expect(bank).toEqual({
      bank: expect.stringMatching(/^[A-Z]{4}$/),
      name: expect.any(String),
      ifsc_prefix: `${bank["bank"]}0`,
      modes: ["IMPS", "NEFT"],
      status: expect.stringMatching(/^(up|down)$/),
    });
  }
  expect(all.filter((bank) => bank["status"] === "down").map((bank) => bank["bank"])).toEqual(["LAVB"]);
  const first = await ok(client.signed.get("/transfers/banks", { limit: "10" }));
  const second = await ok(client.signed.get("/transfers/banks", { limit: "200", after: String(first["next"]) }));
  expect([...(first["items"] as object[]), ...(second["items"] as object[])]).toEqual(all);
  expect(second["next"]).toBeNull();
});
