import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { indiaMonth } from "../../../platform/core/india-time.ts";
import { moneyOf } from "../../../platform/core/money.ts";
import { settleManually } from "../../orders/change-manually.ts";
import type { Client, ServiceFixture } from "../testing/service-fixture.ts";
import { refuseOverLimit } from "./refusals.ts";
import type { TransferSettings } from "./settings/settings-store.ts";
import {
  askQuote,
  createFixture,
  newBeneficiary,
  newParties,
  newQuote,
  newSender,
  newTransfer,
  ok,
  type Parties,
  ref,
  refusalOf,
  senderOf,
  sendTransfer,
} from "./testing/flow.ts";
import { limitLeft } from "./transactions/month.ts";

let fixture: ServiceFixture;
let client: Client;
beforeAll(async () => {
  fixture = await createFixture();
  client = await fixture.newClient(1_000_000);
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const money = fc.bigInt({ min: 0n, max: 10n ** 9n }).map((amount) => moneyOf(amount));

test("a limit is refused exactly when used and new amount together are more than it", () => {
  fc.assert(
    fc.property(money, money, money, (monthLimit, used, amount) => {
      const refused = refuseOverLimit({ monthLimit } as TransferSettings, used, amount) !== null;
      expect(refused).toBe(amount > 0n && used + amount > monthLimit);
      expect(limitLeft(monthLimit, used)).toBe(used > monthLimit ? 0n : monthLimit - used);
    }),
  );
});

test("a month begins at midnight in India", () => {
  expect(indiaMonth(Date.parse("2026-11-30T18:29:59.999Z"))).toBe("2026-11");
  expect(indiaMonth(Date.parse("2026-11-30T18:30:00.000Z"))).toBe("2026-12");
});

async function useUp(who: Client, parties: Parties, times: number): Promise<void> {
  for (let time = 0; time < times; time++) await newTransfer(who, parties, { amount: "5000" });
}

test("a sender sends 25000 a month to whomever, and not a paisa more; another sender is not concerned", async () => {
  const parties = await newParties(client);
  const second = await newBeneficiary(client, parties.sender, { account: "987654321000" });
  await useUp(client, parties, 4);
  await newTransfer(client, { ...parties, beneficiary_id: second }, { amount: "4900" });
  expect(await senderOf(client, parties.sender)).toMatchObject({ used_month: "24900.0000", available_month: "100.0000" });
  const request_id = ref();
  expect(await askQuote(client, parties, { request_id, amount: "100.0001" })).toEqual(
    refusalOf(request_id, 422, "sender_limit_exceeded", 4203),
  );
  expect(await ok(askQuote(client, parties, { request_id, amount: "100" }))).toMatchObject({ limit_left: "100.0000" });
  await newTransfer(client, parties, { amount: "100" });
  expect(await senderOf(client, parties.sender)).toMatchObject({ used_month: "25000.0000", available_month: "0.0000" });
  await newTransfer(client, await newParties(client), { amount: "100" });
});

test("twelve quotes sent at once are paid up to the limit, and the rest is refused without a trace", async () => {
  const own = await fixture.newClient(100_000);
  const parties = await newParties(own);
  const quotes = await Promise.all(Array.from({ length: 12 }, () => newQuote(own, parties, { amount: "4000" })));
  const replies = await Promise.all(quotes.map((transfer_ref) => sendTransfer(own, transfer_ref, { request_id: transfer_ref })));
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(6);
  const refused = replies.filter((reply) => reply.status !== 200);
  for (const reply of refused) expect(reply).toEqual(refusalOf(String(reply.body["urid"]), 422, "sender_limit_exceeded", 4203));
  expect(await senderOf(own, parties.sender)).toMatchObject({ used_month: "24000.0000", available_month: "1000.0000" });
  expect((await own.get("/balance")).body["balance"]).toBe("75760.0000");
  // The quote and its one-time password are as good as new: no limit in the way, they go through.
  await fixture.orders.owner`update transfer_settings set month_limit = ${30_000n * 10_000n}`;
  await ok(sendTransfer(own, String(refused[0]?.body["urid"]), { request_id: String(refused[0]?.body["urid"]) }));
  await fixture.orders.owner`update transfer_settings set month_limit = ${25_000n * 10_000n}`;
});

test("what is pending counts, and a failure gives it back", async () => {
  const sender = await newSender(client);
  const beneficiary_id = await newBeneficiary(client, sender, { account: "123456789110" });
  const declined = await newBeneficiary(client, sender, { account: "123456789102" });
  const sent = await newTransfer(client, { sender, beneficiary_id }, { amount: "3000" });
  expect(sent).toMatchObject({ status: "pending", code: 2 });
  expect(await senderOf(client, sender)).toMatchObject({ used_month: "3000.0000" });
  expect(await newTransfer(client, { sender, beneficiary_id: declined }, { amount: "3000" })).toMatchObject({ status: "FAILED" });
  expect(await senderOf(client, sender)).toMatchObject({ used_month: "3000.0000" });
  const request = { orderId: String(sent["order_id"]), to: "FAILED" as const, operatorRef: null, reason: "not found at the bank" };
  expect(await settleManually(fixture.ctx, "test", request)).toEqual({ kind: "done" });
  expect(await senderOf(client, sender)).toMatchObject({ used_month: "0.0000", available_month: "25000.0000" });
});

test("a new month of India begins with the whole limit, and a transfer counts in the month it was sent in", async () => {
  const parties = await newParties(client);
  await useUp(client, parties, 5);
  expect(await askQuote(client, parties, { amount: "100" })).toMatchObject({ status: 422, body: { error: "sender_limit_exceeded" } });
  const now = fixture.orders.clock.now();
  const next = new Date(now + 5.5 * 3_600_000);
  const midnight = Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 1) - 5.5 * 3_600_000;
  fixture.orders.clock.advance(midnight - now + 1_000);
  expect(await senderOf(client, parties.sender)).toMatchObject({ used_month: "0.0000", available_month: "25000.0000" });
  await newTransfer(client, parties, { amount: "5000" });
  expect(await senderOf(client, parties.sender)).toMatchObject({ used_month: "5000.0000" });
});

test("a limit that is lowered later leaves nothing, never less than nothing", async () => {
  const parties = await newParties(client);
  await newTransfer(client, parties, { amount: "5000" });
  await fixture.orders.owner`update transfer_settings set month_limit = ${1_000n * 10_000n}`;
  expect(await senderOf(client, parties.sender)).toMatchObject({ limit_month: "1000.0000", available_month: "0.0000" });
  await fixture.orders.owner`update transfer_settings set month_limit = ${25_000n * 10_000n}`;
});
