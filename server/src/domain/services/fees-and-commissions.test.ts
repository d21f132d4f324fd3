import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { refundManually, reverseManually, settleManually } from "../orders/change-manually.ts";
import { flat, percent, ruleOf, rupees } from "../pricing/testing/rules.ts";
import { aepsClient } from "./aeps/testing/aeps-client.ts";
import { DIRECT, EXACT, fetchBill, fetched, pay, payDirect } from "./bills/testing/payer.ts";
import { type BusFixture, buy, cancel, createBusFixture } from "./bus/testing/travel.ts";
import { type Client, itemsOf, type Json } from "./testing/service-fixture.ts";
import { askQuote, newParties, ok, ref, sendTransfer } from "./transfers/testing/flow.ts";

let fixture: BusFixture;
beforeAll(async () => {
  fixture = await createBusFixture();
});
afterEach(() => fixture.agreeOn());
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

const balanceOf = async (client: Client) => (await client.get("/balance")).body["balance"];
const lines = async (client: Client) =>
  itemsOf(await client.get("/statement"))
    .map((line) => [line["type"], line["amount"]])
    .toReversed();
const reverse = (body: Json) => reverseManually(fixture.ctx, "test", { orderId: String(body["order_id"]), reason: "taken back" });
// One percent of what it costs, and two of it earned.
const agreed = { fee: percent(1), commission: percent(2) };

describe("a recharge", () => {
  test("costs its fee and earns its commission; its amount, its reply and its retry stay as they were", async () => {
    const client = await fixture.newClient(100);
    fixture.agreeOn(ruleOf(agreed));
    const { body } = await client.recharge("r1", { amount: "50" });
    expect(body).toEqual({
      ...{ status: "SUCCESS", code: 0, order_id: expect.any(String), urid: "r1", operator_ref: expect.any(String) },
      ...{ amount: "50", account: "9876543000", balance: "50.5000", message: "The recharge succeeded." },
    });
    expect((await client.recharge("r1", { amount: "50" })).body).toEqual(body);
    expect(await lines(client)).toEqual([
      ["topup", "100.0000"],
      ["debit", "-50.5000"],
      ["commission", "1.0000"],
    ]);
    const [earned, debit] = itemsOf(await client.get("/statement"));
    expect(debit).toMatchObject({ narration: "recharge AT 9876543000, fee 0.5000 included" });
    expect(earned).toMatchObject({ narration: "Commission: recharge AT 9876543000", order_id: body["order_id"], urid: "r1" });
  });

  test("that fails costs nothing and earns nothing", async () => {
    const client = await fixture.newClient(100);
    fixture.agreeOn(ruleOf(agreed));
    expect((await client.recharge("r1", { account: "9876543102" })).body).toMatchObject({ status: "FAILED", balance: "100.0000" });
  });

  test("is refused when the balance covers the amount but not the fee, and leaves its reference free", async () => {
    const client = await fixture.newClient(100);
    fixture.agreeOn(ruleOf(agreed));
    expect(await client.recharge("r1", { amount: "100" })).toMatchObject({ status: 402, body: { error: "insufficient_balance" } });
    fixture.agreeOn();
    expect((await client.recharge("r1", { amount: "100" })).body).toMatchObject({ status: "SUCCESS", balance: "0.0000" });
  });

  test("keeps what was agreed when it was accepted, whatever is agreed before it ends and when it is taken back", async () => {
    const client = await fixture.newClient(100);
    fixture.agreeOn(ruleOf(agreed));
    const { body } = await client.recharge("r1", { account: "9876543110", amount: "50" });
    expect(body).toMatchObject({ status: "pending", balance: "49.5000" });
    fixture.agreeOn(ruleOf({ fee: percent(10), commission: percent(10) }));
    const orderId = String(body["order_id"]);
    await settleManually(fixture.ctx, "test", { orderId, to: "SUCCESS", operatorRef: "OP1", reason: "seen" });
    expect(await balanceOf(client)).toBe("50.5000");
    fixture.agreeOn();
    expect(await reverse(body)).toEqual({ kind: "done" });
    expect(await balanceOf(client)).toBe("100.0000");
    expect((await lines(client)).slice(-3)).toEqual([
      ["reversal", "50.0000"],
      ["reversal", "0.5000"],
      ["commission", "-1.0000"],
    ]);
  });

  test("is taken back although the commission is spent: what comes back covers it", async () => {
    const client = await fixture.newClient(50);
    fixture.agreeOn(ruleOf({ commission: percent(20) }));
    const { body } = await client.recharge("r1", { amount: "50" });
    expect((await client.recharge("r2", { amount: "10" })).body).toMatchObject({ balance: "2.0000" });
    expect(await reverse(body)).toEqual({ kind: "done" });
    expect(await balanceOf(client)).toBe("42.0000");
  });

  test("earns at most its amount", async () => {
    const client = await fixture.newClient(100);
    fixture.agreeOn(ruleOf({ commission: flat("25") }));
    expect((await client.recharge("r1", { amount: "10" })).body).toMatchObject({ balance: "100.0000" });
  });

  test("counts in the daily limit without its fee", async () => {
    const client = await fixture.newClient(100, { dailyLimit: rupees("20") });
    fixture.agreeOn(ruleOf({ fee: flat("5") }));
    for (const urid of ["r1", "r2"]) expect((await client.recharge(urid)).body).toMatchObject({ status: "SUCCESS" });
    expect((await client.recharge("r3")).body).toMatchObject({ status: "failed", code: 331 });
  });
});

describe("a bill", () => {
  test("costs what its fetch has said, whatever is agreed before it is paid", async () => {
    const client = await fixture.newClient(100_000);
    fixture.agreeOn(ruleOf({ ...agreed, service: "bills", operator: EXACT }));
    const before = (await fetchBill(client, "f1")).body;
    fixture.agreeOn(ruleOf({ ...agreed, fee: flat("77") }));
    const paid = (await pay(client, "p1", { fetch_ref: before["fetch_ref"], amount: amountOf(before) })).body;
    expect(before["fee"]).not.toBe("0.0000");
    expect(paid).toMatchObject({ status: "SUCCESS", fee: before["fee"] });
    const other = await fetched(client, "f2");
    const later = (await pay(client, "p2", { fetch_ref: other.fetchRef, amount: other.amount })).body;
    expect(later).toMatchObject({ status: "SUCCESS", fee: "77.0000" });
  });

  test("that was fetched before a fee was agreed on costs none", async () => {
    const client = await fixture.newClient(100_000);
    const bill = await fetched(client, "f1");
    fixture.agreeOn(ruleOf({ fee: flat("77"), commission: flat("3") }));
    expect((await pay(client, "p1", { fetch_ref: bill.fetchRef, amount: bill.amount })).body).toMatchObject({ fee: "0.0000" });
    expect((await lines(client)).at(-1)).toEqual(["commission", "3.0000"]);
  });

  test("that is paid directly costs what is agreed then", async () => {
    const client = await fixture.newClient(1_000);
    fixture.agreeOn(ruleOf({ service: "bills", operator: DIRECT, ...agreed }));
    expect((await payDirect(client, "p1")).body).toMatchObject({ status: "SUCCESS", fee: "1.0000", balance: "901.0000" });
  });
});

const amountOf = (fetch: Json) => String((fetch["bills"] as readonly Json[])[0]?.["amount"]);

describe("a money transfer", () => {
  test("costs what was quoted, whatever is agreed before it is sent, and all of it comes back with a refund", async () => {
    const client = await fixture.newClient(10_000);
    const parties = await newParties(client);
    fixture.agreeOn(ruleOf({ service: "transfers", ...agreed }));
    const quote = await ok(askQuote(client, parties, { amount: "2000" }));
    expect(quote).toMatchObject({ fee: "40.0000", total: "2040.0000" });
    fixture.agreeOn(ruleOf({ fee: flat("500"), commission: flat("7") }));
    const sent = await ok(sendTransfer(client, String(quote["transfer_ref"])));
    expect(sent).toMatchObject({ status: "SUCCESS", fee: "40.0000", balance: "7967.0000" });
    const orderId = String(sent["order_id"]);
    expect(await refundManually(fixture.ctx, "test", { orderId, reason: "sent back" })).toEqual({ kind: "done" });
    expect(await balanceOf(client)).toBe("10000.0000");
  });

  test("a penny drop moves no amount, so it costs its own fee only and earns nothing", async () => {
    const client = await fixture.newClient(100);
    const { beneficiary_id } = await newParties(client);
    fixture.agreeOn(ruleOf({ fee: flat("5"), commission: flat("5") }));
    const checked = await ok(client.signed.post("/transfers/beneficiaries/verify", { request_id: ref(), beneficiary_id }));
    expect(checked).toMatchObject({ fee: "3.0000", balance: "97.0000" });
  });
});

describe("a bus ticket", () => {
  test("that is cancelled gives its commission back and keeps its fee; a part of it leaves both", async () => {
    const client = await fixture.newClient(100_000);
    fixture.agreeOn(ruleOf({ service: "bus", fee: flat("10"), commission: flat("30") }));
    const ticket = await buy(fixture, client);
    const total = Number(ticket.total);
    expect(Number(await balanceOf(client))).toBeCloseTo(100_000 - total - 10 + 30, 4);
    const [first = "", ...rest] = ticket.seats;
    const part = (await cancel(client, ticket.ticketNo, [first])).body;
    expect((await lines(client)).at(-1)).toEqual(["refund", part["refund_amount"]]);
    await cancel(client, ticket.ticketNo, rest);
    expect((await lines(client)).slice(-1)).toEqual([["commission", "-30.0000"]]);
    expect(await fixture.orders.violations()).toEqual([]);
  });

  test("never gives back more of its commission than comes back with it", async () => {
    const client = await fixture.newClient(100_000);
    fixture.agreeOn(ruleOf({ service: "bus", commission: percent(100) }));
    const ticket = await buy(fixture, client);
    const { refund_amount: refund } = (await cancel(client, ticket.ticketNo, ticket.seats)).body;
    expect((await lines(client)).slice(-2)).toEqual([
      ["refund", refund],
      ["commission", `-${refund}`],
    ]);
    expect(await balanceOf(client)).toBe("100000.0000");
  });
});

describe("what pays the wallet", () => {
  test("costs its fee, earns its commission, and gives both back", async () => {
    const own = await aepsClient(await fixture.newClient(20));
    const outlet = await own.ready();
    fixture.agreeOn(ruleOf({ service: "aeps", fee: flat("5"), commission: flat("2") }));
    const { body } = await own.withdraw(outlet, { amount: "500" });
    expect(body).toMatchObject({ status: "SUCCESS", fee: "5.0000", balance: "517.0000" });
    await own.post("/aeps/balance_enquiry", own.transaction(outlet));
    expect(await lines(own.own)).toEqual([
      ["topup", "20.0000"],
      ["debit", "-5.0000"],
      ["aeps_credit", "500.0000"],
      ["commission", "2.0000"],
    ]);
    expect(await reverse(body)).toEqual({ kind: "done" });
    expect(await balanceOf(own.own)).toBe("20.0000");
  });

  test("is not begun by a wallet that does not cover its fee, and not taken back from one that has spent it", async () => {
    const own = await aepsClient(await fixture.newClient(4));
    const outlet = await own.ready();
    fixture.agreeOn(ruleOf({ service: "aeps", fee: flat("5") }));
    expect(await own.withdraw(outlet, { amount: "500" })).toMatchObject({ status: 402, body: { error: "insufficient_balance" } });
    fixture.agreeOn(ruleOf({ service: "aeps", commission: flat("5") }));
    const { body } = await own.withdraw(outlet, { amount: "500" });
    expect((await own.own.recharge("spend", { amount: "507" })).body).toMatchObject({ status: "SUCCESS", balance: "2.0000" });
    expect(await reverse(body)).toMatchObject({ kind: "conflict" });
    expect(await balanceOf(own.own)).toBe("2.0000");
  });

  test("that fails gives its fee back", async () => {
    const own = await aepsClient(await fixture.newClient(20));
    const outlet = await own.ready();
    fixture.agreeOn(ruleOf({ service: "aeps", fee: flat("5"), commission: flat("2") }));
    const { body } = await own.withdraw(outlet, { amount: "500", customer_mobile: "9876543102" });
    expect(body).toMatchObject({ status: "FAILED", balance: "20.0000" });
  });
});
