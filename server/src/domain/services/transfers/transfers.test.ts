import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { switchService } from "../../catalog/switch-service.ts";
import type { Client, ServiceFixture } from "../testing/service-fixture.ts";
import {
  balanceOf,
  createFixture,
  newParties,
  newQuote,
  newTransfer,
  OTP,
  ok,
  type Parties,
  ref,
  refusalOf,
  sendTransfer,
  WRONG_OTP,
} from "./testing/flow.ts";

let fixture: ServiceFixture;
let client: Client;
let parties: Parties;
beforeAll(async () => {
  fixture = await createFixture();
  client = await fixture.newClient(100_000);
  parties = await newParties(client);
});
afterEach(async () => {
  await switchService(fixture.switches, "test", { service: "transfers", enabled: true, opensAt: null, closesAt: null });
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const lookUp = (query: Record<string, string>, who = client) => who.signed.get("/transfers", query);

describe("a transfer", () => {
  test("goes by NEFT when it was quoted so, and echoes the amount as it was quoted", async () => {
    const sent = await newTransfer(client, parties, { amount: "150.5", mode: "NEFT" });
    expect(sent).toMatchObject({ status: "SUCCESS", amount: "150.5", account: "XXXXXXXXXX6789", transfer: { mode: "NEFT" } });
  });

  test("a retry answers the same result whatever its code; another transfer_ref is a duplicate", async () => {
    const request_id = ref();
    const transfer_ref = await newQuote(client, parties, { amount: "100" });
    const first = await ok(sendTransfer(client, transfer_ref, { request_id }));
    for (const otp of [OTP, WRONG_OTP]) {
      expect(await ok(sendTransfer(client, transfer_ref, { request_id, otp }))).toEqual(first);
    }
    const other = await newQuote(client, parties, { amount: "100" });
    expect(await sendTransfer(client, other, { request_id })).toEqual(
      refusalOf(request_id, 409, "duplicate_reference", 124, { order_id: first["order_id"] }),
    );
  });

  test("a hundred identical requests make one order and one debit", async () => {
    const own = await fixture.newClient(1_000);
    const transfer_ref = await newQuote(own, await newParties(own), { amount: "100" });
    const request_id = ref();
    const replies = await Promise.all(Array.from({ length: 100 }, () => ok(sendTransfer(own, transfer_ref, { request_id }))));
    expect(new Set(replies.map((reply) => reply["order_id"])).size).toBe(1);
    expect(await balanceOf(own)).toBe("890.0000");
  });

  test("one transfer_ref is used once, however many requests race for it", async () => {
    const own = await fixture.newClient(10_000);
    const transfer_ref = await newQuote(own, await newParties(own), { amount: "100" });
    const replies = await Promise.all(Array.from({ length: 30 }, () => sendTransfer(own, transfer_ref)));
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
    for (const { status, body } of replies.filter((reply) => reply.status !== 200)) {
      expect({ status, body }).toEqual(refusalOf(String(body["request_id"]), 409, "transfer_ref_used", 4211));
    }
    expect(await balanceOf(own)).toBe("9890.0000");
  });

  test("a failed transfer has used its transfer_ref too", async () => {
    const own = await fixture.newClient(1_000);
    const transfer_ref = await newQuote(own, await newParties(own, { account: "123456789102" }), { amount: "100" });
    const failed = await ok(sendTransfer(own, transfer_ref));
    expect(failed).toMatchObject({ status: "FAILED", code: 1, ok: true, transfer: { refund_status: "none", utr: "" } });
    expect(await sendTransfer(own, transfer_ref, { request_id: "again" })).toEqual(refusalOf("again", 409, "transfer_ref_used", 4211));
    expect(await balanceOf(own)).toBe("1000.0000");
  });

  test("insufficient funds change nothing: the same request succeeds once there is more", async () => {
    const own = await fixture.newClient(500);
    const transfer_ref = await newQuote(own, await newParties(own), { amount: "495" });
    expect(await sendTransfer(own, transfer_ref, { request_id: "t" })).toEqual(refusalOf("t", 402, "insufficient_balance", 126));
    expect(await lookUp({ request_id: "t" }, own)).toMatchObject({ status: 404 });
    await fixture.ctx.writer.write({ kind: "topup", accountId: own.accountId, amount: 50_000n as never, reference: "more", note: "" });
    expect(await ok(sendTransfer(own, transfer_ref, { request_id: "t" }))).toMatchObject({ status: "SUCCESS", balance: "0.0000" });
  });

  test("an unknown transfer_ref, and another account's, are not there", async () => {
    const other = await fixture.newClient(1_000);
    const theirs = await newQuote(client, parties, { amount: "100" });
    for (const transfer_ref of ["TRF-UNKNOWN", theirs]) {
      const request_id = ref();
      expect(await sendTransfer(other, transfer_ref, { request_id })).toEqual(refusalOf(request_id, 404, "transfer_ref_not_found", 4210));
      expect(await lookUp({ transfer_ref }, other)).toMatchObject({ status: 404, body: { error: "transfer_ref_not_found", code: 4210 } });
    }
    expect(await balanceOf(other)).toBe("1000.0000");
    await ok(sendTransfer(client, theirs));
  });

  test("a beneficiary deleted since the quote is not paid", async () => {
    const own = await fixture.newClient(1_000);
    const pair = await newParties(own);
    const transfer_ref = await newQuote(own, pair, { amount: "100" });
    const { beneficiary_id } = pair;
    const { otp_ref } = await ok(own.signed.post("/transfers/beneficiaries/delete", { beneficiary_id }));
    await ok(own.signed.post("/transfers/beneficiaries/delete", { beneficiary_id, otp_ref, otp: OTP }));
    expect(await sendTransfer(own, transfer_ref, { request_id: "late" })).toEqual(refusalOf("late", 422, "beneficiary_not_active", 4206));
    expect(await balanceOf(own)).toBe("1000.0000");
  });
});

describe("the one-time password", () => {
  test("three wrong codes spend the transfer_ref: then even the right one is refused, and no money moves", async () => {
    const own = await fixture.newClient(1_000);
    const pair = await newParties(own);
    const transfer_ref = await newQuote(own, pair, { amount: "100" });
    for (let time = 0; time < 3; time++) {
      expect(await sendTransfer(own, transfer_ref, { request_id: "same", otp: WRONG_OTP })).toEqual(
        refusalOf("same", 422, "otp_invalid", 4207),
      );
    }
    expect(await sendTransfer(own, transfer_ref, { request_id: "same" })).toEqual(refusalOf("same", 422, "otp_attempts_exceeded", 4209));
    expect(await balanceOf(own)).toBe("1000.0000");
    expect(await lookUp({ request_id: "same" }, own)).toMatchObject({ status: 404 });
    // The reference is free for the next quote.
    await ok(sendTransfer(own, await newQuote(own, pair, { amount: "100" }), { request_id: "same" }));
  });

  test("wrong codes that arrive together are all counted", async () => {
    const own = await fixture.newClient(1_000);
    const transfer_ref = await newQuote(own, await newParties(own), { amount: "100" });
    const replies = await Promise.all(Array.from({ length: 12 }, () => sendTransfer(own, transfer_ref, { otp: WRONG_OTP })));
    const errors = replies.map((reply) => String(reply.body["error"]));
    expect(errors.filter((error) => error === "otp_invalid")).toHaveLength(3);
    expect(errors.filter((error) => error === "otp_attempts_exceeded")).toHaveLength(9);
  });

  test("two wrong codes and then the right one go through", async () => {
    const transfer_ref = await newQuote(client, parties, { amount: "100" });
    const request_id = ref();
    for (let time = 0; time < 2; time++) await sendTransfer(client, transfer_ref, { request_id, otp: WRONG_OTP });
    expect(await ok(sendTransfer(client, transfer_ref, { request_id }))).toMatchObject({ status: "SUCCESS" });
  });
});

describe("looking up", () => {
  test("takes exactly one reference", async () => {
    const sent = await newTransfer(client, parties, { amount: "100" });
    const order_id = String(sent["order_id"]);
    for (const query of [{}, { order_id, request_id: String(sent["request_id"]) }]) {
      expect(await lookUp(query as Record<string, string>)).toMatchObject({
        status: 400,
        body: { error: "invalid_request", code: 120, fields: { request_id: expect.any(String) } },
      });
    }
  });

  test("another account's transfer, and another service's order, are not there", async () => {
    const sent = await newTransfer(client, parties, { amount: "100" });
    const other = await fixture.newClient(100);
    for (const query of [{ order_id: String(sent["order_id"]) }, { request_id: String(sent["request_id"]) }] as Record<string, string>[]) {
      expect(await lookUp(query, other)).toMatchObject({ status: 404, body: { ok: false, error: "not_found", code: 125 } });
    }
    const { body: recharge } = await other.recharge("a-recharge");
    expect(await lookUp({ order_id: String(recharge["order_id"]) }, other)).toMatchObject({ status: 404 });
  });
});
