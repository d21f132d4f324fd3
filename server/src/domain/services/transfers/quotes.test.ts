import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatMoney, moneyOf, requireMoney } from "../../../platform/core/money.ts";
import { rateOf } from "../../../platform/core/rate.ts";
import type { Client, ServiceFixture } from "../testing/service-fixture.ts";
import { readSettings } from "./settings/settings-store.ts";
import {
  askQuote,
  balanceOf,
  createFixture,
  newBeneficiary,
  newMobile,
  newParties,
  newQuote,
  newSender,
  OTP,
  ok,
  type Parties,
  ref,
  refusalOf,
  senderBody,
  sendTransfer,
} from "./testing/flow.ts";

let fixture: ServiceFixture;
let client: Client;
let parties: Parties;
beforeAll(async () => {
  fixture = await createFixture();
  client = await fixture.newClient(100_000);
  parties = await newParties(client);
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const FEES: readonly (readonly [amount: string, fee: string, total: string])[] = [
  ["100", "10.0000", "110.0000"],
  ["100.0001", "10.0000", "110.0001"],
  ["999.99", "10.0000", "1009.9900"],
  ["1000", "10.0000", "1010.0000"],
  ["1000.49", "10.0000", "1010.4900"],
  ["1000.50", "10.0100", "1010.5100"],
  ["1234.56", "12.3500", "1246.9100"],
  ["5000.0000", "50.0000", "5050.0000"],
];
test.each(FEES)("a transfer of %s costs %s, one per cent and at least ten rupees, and %s in all", async (amount, fee, total) => {
  expect(await ok(askQuote(client, parties, { amount }))).toMatchObject({ fee, total });
});

test("the fee is never below its least, never falls when the amount grows, and has two places", async () => {
  const { fee: rule } = await readSettings(fixture.orders.database.sql);
  const amount = fc.bigInt({ min: 1n, max: 10n ** 12n });
  fc.assert(
    fc.property(amount, amount, (one, other) => {
      const [less, more] = one < other ? [one, other] : [other, one];
      const fees = [rateOf(moneyOf(less), rule), rateOf(moneyOf(more), rule)] as const;
      expect(fees[0]).toBeGreaterThanOrEqual(rule.least ?? 0n);
      expect(fees[1]).toBeGreaterThanOrEqual(fees[0]);
      expect(fees[0] % 100n).toBe(0n);
      const exact = less / 100n;
      if (fees[0] > (rule.least ?? 0n)) expect(fees[0] - exact).toBeLessThanOrEqual(50n);
    }),
  );
});

test.each(["0.01", "99.9999", "5000.0001", "9999999999"])("a transfer of %s is out of range", async (amount) => {
  expect(await askQuote(client, parties, { request_id: `range-${amount}`, amount })).toEqual(
    refusalOf(`range-${amount}`, 422, "amount_out_of_range", 127),
  );
});

test("a repeat answers the same quote, amounts compared as money; other details are a duplicate", async () => {
  const request_id = ref();
  const first = await ok(askQuote(client, parties, { request_id, amount: "250.5" }));
  expect(await ok(askQuote(client, parties, { request_id, amount: "250.50", mode: "IMPS" }))).toEqual(first);
  for (const more of [{ amount: "250.51" }, { amount: "250.5", mode: "NEFT" }]) {
    expect(await askQuote(client, parties, { request_id, ...more })).toEqual(refusalOf(request_id, 409, "duplicate_reference", 124));
  }
  // Also when a new one would be refused by now.
  fixture.orders.clock.advance(301_000);
  expect(await ok(askQuote(client, parties, { request_id, amount: "250.5" }))).toEqual(first);
});

test("a hundred identical requests make one quote", async () => {
  const request_id = ref();
  const replies = await Promise.all(Array.from({ length: 100 }, () => ok(askQuote(client, parties, { request_id }))));
  expect(new Set(replies.map((reply) => reply["transfer_ref"])).size).toBe(1);
});

test("a quote charges nothing and takes nothing off the limit", async () => {
  const before = await balanceOf(client);
  const limits = await Promise.all([1, 2, 3].map(async () => (await ok(askQuote(client, parties, { amount: "5000" })))["limit_left"]));
  expect(limits).toEqual(["25000.0000", "25000.0000", "25000.0000"]);
  expect(await balanceOf(client)).toBe(before);
});

test("who sends, whom to, the bank, the amount and the limit are looked at in this order", async () => {
  const waiting = newMobile();
  await ok(client.signed.post("/transfers/senders", senderBody(waiting)));
  const down = await newBeneficiary(client, parties.sender, { ifsc: "LAVB0000123" });
  const rows = [
    [{ sender: newMobile(), beneficiary_id: "BEN-UNKNOWN", amount: "1" }, 404, "sender_not_found", 4201],
    [{ sender: waiting, beneficiary_id: "BEN-UNKNOWN", amount: "1" }, 422, "sender_not_verified", 4202],
    [{ ...parties, beneficiary_id: "BEN-UNKNOWN", amount: "1" }, 404, "beneficiary_not_found", 4204],
    [{ ...parties, sender: await newSender(client), amount: "1" }, 404, "beneficiary_not_found", 4204],
    [{ ...parties, beneficiary_id: down, amount: "1" }, 503, "bank_down", 4213],
    [{ ...parties, amount: "1" }, 422, "amount_out_of_range", 127],
  ] as const;
  for (const [asked, status, error, code] of rows) {
    const request_id = ref();
    expect(await client.signed.post("/transfers/quote", { request_id, ...asked })).toEqual(refusalOf(request_id, status, error, code));
    // A refusal leaves the reference free.
    await ok(askQuote(client, parties, { request_id }));
  }
});

test("a transfer_ref expires after five minutes, and not before", async () => {
  const [early, late] = [await newQuote(client, parties), await newQuote(client, parties)];
  fixture.orders.clock.advance(290_000);
  await ok(sendTransfer(client, early));
  fixture.orders.clock.advance(10_000);
  const before = await balanceOf(client);
  for (const otp of [OTP, "000000"]) {
    const request_id = ref();
    expect(await sendTransfer(client, late, { request_id, otp })).toEqual(refusalOf(request_id, 410, "transfer_ref_expired", 4212));
  }
  expect(await balanceOf(client)).toBe(before);
  expect(await client.signed.get("/transfers", { transfer_ref: late })).toMatchObject({ status: 404, body: { error: "not_found" } });
});

test("amounts and limits are the installation's to set, from the next quote on", async () => {
  const { owner } = fixture.orders;
  const transfer_ref = await newQuote(client, parties, { amount: "1000" });
  await owner`
    update transfer_settings set min_amount = ${money("50")}, max_amount = ${money("20000")}, fee_basis_points = 50, fee_least = ${money("5")}`;
  expect(await ok(askQuote(client, parties, { amount: "50" }))).toMatchObject({ fee: "5.0000" });
  expect(await ok(askQuote(client, parties, { amount: "20000" }))).toMatchObject({ fee: "100.0000" });
  // What was quoted is what is charged.
  expect(await ok(sendTransfer(client, transfer_ref))).toMatchObject({ fee: "10.0000" });
  const refused = await askQuote(client, parties, { amount: "49.99" });
  expect(refused.body["message"]).toContain(formatMoney(requireMoney("50")));
});

const money = (text: string) => requireMoney(text);
