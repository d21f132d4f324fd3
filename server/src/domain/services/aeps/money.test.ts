import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clearComplaint } from "../../complaints/clear-complaint.ts";
import { reverseManually } from "../../orders/change-manually.ts";
import { createServiceFixture, itemsOf, type Json, type ServiceFixture } from "../testing/service-fixture.ts";
import { type AepsClient, aepsClient, type Outlet, ok } from "./testing/aeps-client.ts";

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = await createServiceFixture();
});
afterAll(async () => {
  expect(await fixture.orders.violations()).toEqual([]);
  await fixture.close();
});

async function newReady(rupees = 0): Promise<{ own: AepsClient; outlet: Outlet }> {
  const own = await aepsClient(await fixture.newClient(rupees));
  return { own, outlet: await own.ready() };
}
const balanceOf = async (own: AepsClient) => (await own.own.get("/balance")).body["balance"];
const statement = async (own: AepsClient) =>
  itemsOf(await own.own.get("/statement")).map((line) => [line["type"], line["amount"], line["balance_after"]]);
const reverse = (orderId: unknown) => reverseManually(fixture.ctx, "test", { orderId: String(orderId), reason: "no cash was given" });

describe("a withdrawal's credit", () => {
  test("is a line of the statement, and can be spent", async () => {
    const { own, outlet } = await newReady();
    await ok(own.withdraw(outlet, { amount: "500" }));
    await ok(own.post("/aeps/aadhaar_pay", own.transaction(outlet, { amount: "1000" })));
    await ok(own.post("/aeps/balance_enquiry", own.transaction(outlet)));
    expect(await statement(own)).toEqual([
      ["aeps_credit", "1000.0000", "1500.0000"],
      ["aeps_credit", "500.0000", "500.0000"],
    ]);
    expect((await own.own.recharge("spend", { amount: "1500" })).body).toMatchObject({ status: "SUCCESS", balance: "0.0000" });
  });

  test("is taken back by a reversal, as a line of its own", async () => {
    const { own, outlet } = await newReady(100);
    const { order_id } = await ok(own.withdraw(outlet));
    expect(await reverse(order_id)).toEqual({ kind: "done" });
    const found = (await own.get("/aeps/transactions", { order_id: String(order_id) })).body;
    expect(found).toMatchObject({ ok: true, status: "FAILED", code: 1, balance: "100.0000" });
    expect((await statement(own)).slice(0, 2)).toEqual([
      ["reversal", "-500.0000", "100.0000"],
      ["aeps_credit", "500.0000", "600.0000"],
    ]);
    expect(await reverse(order_id)).toMatchObject({ kind: "conflict" });
  });

  test("that is spent cannot be reversed until the wallet covers it", async () => {
    const { own, outlet } = await newReady(0);
    const { order_id } = await ok(own.withdraw(outlet));
    await own.own.recharge("spend", { amount: "10" });
    expect(await reverse(order_id)).toMatchObject({ kind: "conflict", reason: expect.stringContaining("does not hold the money") });
    expect((await own.get("/aeps/transactions", { order_id: String(order_id) })).body).toMatchObject({ status: "SUCCESS" });
    await ok(own.withdraw(outlet));
    expect(await reverse(order_id)).toEqual({ kind: "done" });
    expect(await balanceOf(own)).toBe("490.0000");
  });

  test("is taken back once by fifty reversals at once", async () => {
    const { own, outlet } = await newReady(0);
    const { order_id } = await ok(own.withdraw(outlet));
    const done = await Promise.all(Array.from({ length: 50 }, () => reverse(order_id)));
    expect(done.filter(({ kind }) => kind === "done")).toHaveLength(1);
    expect(await balanceOf(own)).toBe("0.0000");
  });

  test("an enquiry has no money in it, so its reversal moves none", async () => {
    const { own, outlet } = await newReady(0);
    const { order_id } = await ok(own.post("/aeps/balance_enquiry", own.transaction(outlet)));
    expect(await reverse(order_id)).toEqual({ kind: "done" });
    expect(await statement(own)).toEqual([]);
  });
});

describe("a complaint that the cash was debited and not given", () => {
  const raise = async (own: AepsClient, more: Json): Promise<string> => {
    const sent = { reason: "debited_no_cash", description: "The customer got no cash", ...more };
    const { status, body } = await own.own.post("/complaints", sent);
    expect({ status, body }).toMatchObject({ status: 201, body: { status: "OPEN", service: "aeps", reason_code: "debited_no_cash" } });
    return String(body["complaint_ref"]);
  };
  const clear = (complaintRef: string, decision: "refund" | "stands") =>
    clearComplaint(fixture.ctx, "test", { complaintRef, decision, reason: "as the bank says" });

  test("takes the credit back when it is decided refusal the withdrawal", async () => {
    const { own, outlet } = await newReady(0);
    const { order_id } = await ok(own.withdraw(outlet));
    const ref = await raise(own, { order_id });
    expect(await clear(ref, "refund")).toMatchObject({ kind: "done", complaint: { status: "REFUNDED" } });
    expect((await own.get("/aeps/transactions", { order_id: String(order_id) })).body).toMatchObject({
      status: "FAILED",
      balance: "0.0000",
    });
  });

  test("is blocked while the credit is spent, and can be cleared again later", async () => {
    const { own, outlet } = await newReady(0);
    const { order_id } = await ok(own.withdraw(outlet, { request_id: "spent" }));
    await own.own.recharge("spend", { amount: "500" });
    const ref = await raise(own, { request_id: "spent", service: "aeps" });
    expect(await clear(ref, "refund")).toMatchObject({ kind: "done", complaint: { status: "OPEN", stage: "refund_blocked" } });
    expect((await own.get("/aeps/transactions", { order_id: String(order_id) })).body).toMatchObject({ status: "SUCCESS" });
    await ok(own.withdraw(outlet));
    expect(await clear(ref, "refund")).toMatchObject({ kind: "done", complaint: { status: "REFUNDED" } });
    expect(await balanceOf(own)).toBe("0.0000");
  });

  test("changes nothing when the withdrawal stands", async () => {
    const { own, outlet } = await newReady(0);
    const ref = await raise(own, { order_id: (await ok(own.withdraw(outlet)))["order_id"] });
    expect(await clear(ref, "stands")).toMatchObject({ kind: "done", complaint: { status: "RESOLVED" } });
    expect(await balanceOf(own)).toBe("500.0000");
  });

  test("by a request_id that several calls have is ambiguous", async () => {
    const { own, outlet } = await newReady(0);
    for (const call of ["cash_withdrawal", "aadhaar_pay"])
      await ok(own.post(`/aeps/${call}`, own.transaction(outlet, { request_id: "both" })));
    const sent = { request_id: "both", reason: "debited_no_cash", description: "Which of them?" };
    expect((await own.own.post("/complaints", sent)).status).toBe(400);
  });
});
