import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { switchService } from "../../catalog/switch-service.ts";
import { reverseManually } from "../../orders/change-manually.ts";
import type { Client, Json, ServiceFixture } from "../testing/service-fixture.ts";
import {
  balanceOf,
  beneficiaryBody,
  createFixture,
  newBeneficiary,
  newParties,
  newSender,
  OTP,
  ok,
  partOf,
  ref,
  refusalOf,
} from "./testing/flow.ts";

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterEach(async () => {
  await switchService(fixture.switches, "test", { service: "transfers", enabled: true, opensAt: null, closesAt: null });
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const drop = (client: Client, beneficiary_id: string, request_id = ref()) =>
  client.signed.post("/transfers/beneficiaries/verify", { request_id, beneficiary_id });
const beneficiaries = async (client: Client, sender: string) =>
  (await ok(client.signed.get("/transfers/beneficiaries", { sender })))["items"] as readonly Json[];

test("a penny drop costs its fee, tells the holder's name, and makes the beneficiary verified", async () => {
  const client = await fixture.newClient(100);
  const { sender, beneficiary_id } = await newParties(client);
  const reply = await ok(drop(client, beneficiary_id, "pd-1"));
  expect(reply).toMatchObject({
    ok: true,
    status: "SUCCESS",
    code: 0,
    request_id: "pd-1",
    urid: "pd-1",
    order_id: expect.stringMatching(/^[A-Z0-9]{12,32}$/),
    operator_ref: expect.stringMatching(/^[0-9]{12}$/),
    amount: "0",
    account: "XXXXXXXXXX6789",
    fee: "3.0000",
    balance: "97.0000",
    service: "transfers",
    error: "",
    verified_name: "RAVI KUMAR",
    account_status: "ACTIVE",
    name_match_score: "100",
    utr: reply["operator_ref"],
  });
  expect(reply).not.toHaveProperty("transfer");
  expect(await beneficiaries(client, sender)).toMatchObject([{ verified: true, verified_name: "RAVI KUMAR" }]);
  expect(await ok(client.signed.get("/transfers", { order_id: String(reply["order_id"]) }))).toEqual(reply);
  expect(await ok(client.signed.get("/transfers", { request_id: "pd-1" }))).toEqual(reply);
  // It counts against no limit.
  expect(partOf(await ok(client.signed.get("/transfers/senders", { mobile: sender })), "sender")["used_month"]).toBe("0.0000");
});

test("a repeat answers the first one's result and costs nothing; another beneficiary is a duplicate", async () => {
  const client = await fixture.newClient(100);
  const { sender, beneficiary_id } = await newParties(client);
  const first = await ok(drop(client, beneficiary_id, "pd-2"));
  expect(await ok(drop(client, beneficiary_id, "pd-2"))).toEqual(first);
  const other = await newBeneficiary(client, sender, { account: "987654321000" });
  expect(await drop(client, other, "pd-2")).toEqual(refusalOf("pd-2", 409, "duplicate_reference", 124, { order_id: first["order_id"] }));
  expect(await balanceOf(client)).toBe("97.0000");
});

test("a hundred identical requests make one penny drop", async () => {
  const client = await fixture.newClient(100);
  const { beneficiary_id } = await newParties(client);
  const replies = await Promise.all(Array.from({ length: 100 }, () => ok(drop(client, beneficiary_id, "pd-3"))));
  expect(new Set(replies.map((reply) => reply["order_id"])).size).toBe(1);
  expect(await balanceOf(client)).toBe("97.0000");
});

const FINAL: readonly (readonly [ending: string, status: string])[] = [
  ["102", "FAILED"],
  ["202", "FAILED"],
  ["131", "FAILED"],
  ["200", "SUCCESS"],
  ["110", "SUCCESS"],
  ["120", "SUCCESS"],
  ["130", "SUCCESS"],
  ["140", "FAILED"],
  ["141", "SUCCESS"],
  ["150", "SUCCESS"],
];
test.each(FINAL)("an account that ends in %s is %s in the reply itself; a failed one costs nothing", async (ending, status) => {
  const client = await fixture.newClient(100);
  const { sender, beneficiary_id } = await newParties(client, { account: `501001234567${ending}` });
  const reply = await ok(drop(client, beneficiary_id));
  const failed = status === "FAILED";
  expect(reply).toMatchObject({
    status,
    code: failed ? 1 : 0,
    account_status: failed ? "INVALID" : "ACTIVE",
    name_match_score: failed ? "0" : "100",
    verified_name: failed ? "" : "RAVI KUMAR",
  });
  expect(reply["utr"]).toMatch(failed ? /^$/ : /^[0-9]{12}$/);
  expect(await balanceOf(client)).toBe(failed ? "100.0000" : "97.0000");
  expect(await beneficiaries(client, sender)).toMatchObject([{ verified: !failed, verified_name: failed ? "" : "RAVI KUMAR" }]);
  const [row] = await fixture.orders.database.sql<{ count: number }[]>`
    select count(*)::int as count from pending_polls where account_id = ${client.accountId}`;
  expect(row?.count).toBe(0);
});

test("one that is taken back leaves the beneficiary unverified", async () => {
  const client = await fixture.newClient(100);
  const { sender, beneficiary_id } = await newParties(client);
  const { order_id } = await ok(drop(client, beneficiary_id));
  expect(await reverseManually(fixture.ctx, "test", { orderId: String(order_id), reason: "by mistake" })).toEqual({ kind: "done" });
  expect(await beneficiaries(client, sender)).toMatchObject([{ verified: false, verified_name: "" }]);
  expect(await balanceOf(client)).toBe("100.0000");
});

test("a beneficiary that waits for its one-time password can be asked about, a deleted one cannot", async () => {
  const client = await fixture.newClient(100);
  const sender = await newSender(client);
  const { beneficiary } = await ok(client.signed.post("/transfers/beneficiaries", beneficiaryBody(sender)));
  await ok(drop(client, String((beneficiary as Json)["beneficiary_id"])));
  const beneficiary_id = await newBeneficiary(client, sender, { account: "123456789" });
  const { otp_ref } = await ok(client.signed.post("/transfers/beneficiaries/delete", { beneficiary_id }));
  await ok(client.signed.post("/transfers/beneficiaries/delete", { beneficiary_id, otp_ref, otp: OTP }));
  expect(await drop(client, beneficiary_id, "gone")).toEqual(refusalOf("gone", 422, "beneficiary_not_active", 4206));
});

test("what speaks against it refuses it, and nothing is charged: it is no transaction call, so no reason is answered as failed", async () => {
  const client = await fixture.newClient(2);
  const { beneficiary_id } = await newParties(client);
  expect(await drop(client, beneficiary_id, "insufficient-funds")).toEqual(
    refusalOf("insufficient-funds", 402, "insufficient_balance", 126),
  );
  expect(await drop(client, "BEN-UNKNOWN", "who")).toEqual(refusalOf("who", 404, "beneficiary_not_found", 4204));
  const down = await newBeneficiary(client, await newSender(client), { ifsc: "LAVB0000123" });
  expect(await drop(client, down, "down")).toEqual(refusalOf("down", 503, "bank_down", 4213));
  const rejected = (request_id: string, error: string) => ({
    status: 403,
    body: { status: "rejected", error, code: 331, message: expect.any(String), request_id, urid: request_id },
  });
  client.set({ wallet: "suspended" });
  expect(await drop(client, beneficiary_id, "suspended")).toEqual(rejected("suspended", "wallet_suspended"));
  client.set({ wallet: "active", standing: "paused" });
  expect(await drop(client, beneficiary_id, "paused")).toEqual(rejected("paused", "account_paused"));
  client.set({ standing: "active", services: new Set(["recharge"]) });
  expect(await drop(client, beneficiary_id, "not-on")).toEqual(rejected("not-on", "service_not_enabled"));
  client.set({ services: new Set(["transfers"]) });
  await switchService(fixture.switches, "test", { service: "transfers", enabled: false });
  expect(await drop(client, beneficiary_id, "off")).toEqual(rejected("off", "service_off"));
  expect(await balanceOf(client)).toBe("2.0000");
});
