import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { StaffRole } from "../../../domain/auth/user.ts";
import { buildOrder } from "../../../domain/complaints/testing/build-order.ts";
import { checkLedger } from "../../../domain/ledger/invariants.ts";
import type { OrdersContext } from "../../../domain/orders/context.ts";
import { findById } from "../../../domain/orders/store.ts";
import { failOver } from "../../../domain/orders/testing/operations.ts";
import { type ConsoleFixture, createConsoleFixture } from "../console/testing/fixture.ts";
import type { Answer } from "../testing/api.ts";

let fixture: ConsoleFixture;
let orders: OrdersContext;
let accountId: string;
beforeAll(async () => {
  fixture = await createConsoleFixture();
  orders = fixture.deps.orders;
});
afterAll(async () => {
  expect((await checkLedger(orders.sql)).filter((check) => check.violations > 0)).toEqual([]);
  await fixture.close();
});
beforeEach(async () => {
  // Keys are excluded here, so that a test can do with the key what is not its subject.
  await orders.sql`
    update approval_rules set wallet_threshold = 10000000, order_threshold = 100000, keys_included = false, pricing_included = true,
      providers_included = true, expire_hours = 24, new_person_hours = 24`;
  accountId = (await fixture.newAccount()).account_id;
});

type Person = { readonly userId: string; readonly role: StaffRole };
const as = (userId: string, role: StaffRole): Person => ({ userId, role });
const [asha, binu] = [as("ASHA", "finance"), as("BINU", "finance")];
const [omar, olga, root] = [as("OMAR", "operations"), as("OLGA", "operations"), as("ROOT", "admin")];

/** By somebody of the staff at the console, or with the operator key. */
const api = {
  get: (path: string, who?: Person): Promise<Pick<Answer, "status" | "body">> =>
    who ? asStaff("GET", path, undefined, who) : fixture.get(path),
  post: (path: string, body: object, who?: Person): Promise<Pick<Answer, "status" | "body">> =>
    who ? asStaff("POST", path, body, who) : fixture.post(path, body),
};

async function asStaff(
  method: string,
  path: string,
  body: object | undefined,
  { userId, role }: Person,
): Promise<Pick<Answer, "status" | "body">> {
  const headers = { ...fixture.as(role, { userId }), ...(body ? { "content-type": "application/json" } : {}) };
  const reply = await fetch(`${fixture.base}/console/api${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  return { status: reply.status, body: await reply.json() };
}

const wallet = (amount: string, reference: string, who = asha) =>
  api.post(`/accounts/${accountId}/wallet`, { amount, reference, note: "by transfer" }, who);
const balance = async () =>
  (await api.post(`/accounts/${accountId}/wallet`, { amount: "0.0001", reference: `look-${Math.random()}` })).body.balance;
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

test("below the threshold, and for keys, a top-up answers as ever", async () => {
  expect(await wallet("999.9999", "small")).toMatchObject({ status: 200, body: { balance: "999.9999", entry_id: `${accountId}-1` } });
  const byKey = await api.post(`/accounts/${accountId}/wallet`, { amount: "5000", reference: "key" });
  expect([byKey.status, byKey.body.balance]).toEqual([200, "5999.9999"]);
});

test("from the threshold on it waits: 202, nothing moves, and the reply tells what waits", async () => {
  const held = await wallet("1000", "big");
  expect(held.status).toBe(202);
  expect(held.body).toEqual({
    approval: {
      approval_id: expect.stringMatching(/^[0-9A-Z]{18}$/),
      kind: "wallet",
      state: "waiting",
      amount: "1000.0000",
      account_id: accountId,
      account_name: "Asha Stores",
      order_id: null,
      input: { amount: "1000.0000", reference: "big", note: "by transfer" },
      made_by: "staff:ASHA",
      made_by_name: null,
      decided_by: null,
      decided_by_name: null,
      reason: null,
      result: null,
      created_at: expect.stringMatching(TIME),
      expires_at: expect.stringMatching(TIME),
      decided_at: null,
      finished_at: null,
      mine: true,
      may_decide: false,
      barred: null,
      may_withdraw: true,
      balance_before: "0.0000",
      balance_after: "1000.0000",
    },
  });
  const id = held.body.approval.approval_id;
  expect((await wallet("1000", "big")).body.approval.approval_id).toBe(id);
  expect((await wallet("1001", "big")).status).toBe(409);
  expect((await api.get(`/approvals/${id}`, binu)).body).toMatchObject({ mine: false, may_decide: true, may_withdraw: false });
  expect((await api.get(`/approvals/${id}`, omar)).body).toMatchObject({ may_decide: false });
  const approved = await api.post(`/approvals/${id}/approve`, { reason: "seen in the bank" }, binu);
  expect(approved).toMatchObject({
    status: 200,
    body: { state: "done", decided_by: "staff:BINU", reason: "seen in the bank", balance_before: "0.0000", balance_after: "1000.0000" },
  });
  // The same again is what it was: one top-up, now posted.
  expect(await wallet("1000", "big")).toMatchObject({ status: 200, body: { balance: "1000.0000", entry_id: `${accountId}-1` } });
  expect(await wallet("999", "big")).toMatchObject({ status: 409 });
});

test("what cannot be done is refused at once, not put before somebody", async () => {
  expect(await wallet("-1000", "out")).toMatchObject({ status: 409, body: { message: "The wallet does not hold that much." } });
  const orderId = await pendingOrder();
  expect((await api.post(`/orders/${orderId}/reverse`, { reason: "x" }, omar)).body.message).toBe("The order is pending.");
  expect((await api.post(`/orders/${orderId}/refund`, { reason: "x" }, omar)).body.message).toBe(
    "Only orders of the service transfers can be refunded, and this one is of recharge. To return its money, reverse the order instead.",
  );
  expect((await api.post(`/orders/${orderId}/cancel`, { reason: "x" }, omar)).body.message).toBe("The order is not a bus ticket.");
  expect((await api.post("/orders/NOBODY/settle", { status: "FAILED", reason: "x" }, omar)).status).toBe(404);
  expect((await api.post("/complaints/NOBODY/clear", { decision: "refund", reason: "x" }, omar)).status).toBe(404);
  expect((await api.get(`/approvals?account_id=${accountId}`)).body.items).toEqual([]);
});

async function pendingOrder(wanted: object = {}): Promise<string> {
  await api.post(`/accounts/${accountId}/wallet`, { amount: "100", reference: `w-${Math.random()}` });
  return await buildOrder(orders, accountId, { state: "pending", ...wanted });
}

async function approved(held: { readonly body: { approval: { approval_id: string } } }, who = olga) {
  return (await api.post(`/approvals/${held.body.approval.approval_id}/approve`, {}, who)).body;
}

test("settling, reversing and refunding wait from the threshold on, and are done when agreed to", async () => {
  const orderId = await pendingOrder();
  const settled = await api.post(
    `/orders/${orderId}/settle`,
    { status: "SUCCESS", operator_ref: "OP1", reason: "confirmed by phone" },
    omar,
  );
  expect(settled).toMatchObject({ status: 202, body: { approval: { kind: "settle", order_id: orderId, amount: "10.0000" } } });
  expect((await api.get(`/orders/${orderId}`)).body.order.status).toBe("pending");
  expect(await approved(settled)).toMatchObject({ state: "done", result: { status: "SUCCESS" } });
  expect((await api.get(`/orders/${orderId}`)).body.order).toMatchObject({ status: "SUCCESS", operator_ref: "OP1" });
  const reversed = await api.post(`/orders/${orderId}/reverse`, { reason: "not credited" }, omar);
  expect(await approved(reversed)).toMatchObject({ kind: "reverse", state: "done", result: { status: "FAILED" } });
  const { order, postings } = (await api.get(`/orders/${orderId}`)).body;
  expect([order.status, order.reason, postings.at(-1).kind]).toEqual(["FAILED", "not credited", "reversal"]);
  const transfer = await pendingOrder({ service: "transfers", state: "SUCCESS" });
  const refunded = await api.post(`/orders/${transfer}/refund`, { reason: "sent back" }, omar);
  expect(await approved(refunded)).toMatchObject({ kind: "refund", state: "done" });
  const small = await pendingOrder({ amount: 99_999n });
  expect((await api.post(`/orders/${small}/settle`, { status: "FAILED", reason: "confirmed by phone" }, omar)).status).toBe(200);
});

test("a settlement that was requested for one attempt is not carried out when the order has moved to another provider", async () => {
  const orderId = await pendingOrder();
  const settled = await api.post(`/orders/${orderId}/settle`, { status: "FAILED", reason: "the provider has no such order" }, omar);
  expect(settled).toMatchObject({ status: 202, body: { approval: { input: { status: "FAILED", attempt: 1 } } } });
  const order = await findById(orders.sql, orderId);
  if (!order) throw new Error("The order is gone.");
  await orders.writer.write(failOver(order, "another"));
  expect(await approved(settled)).toMatchObject({
    ...{ state: "failed", result: { reason: "The order has moved on: it is in attempt 2, with another." } },
  });
  expect((await api.get(`/orders/${orderId}`)).body.order.status).toBe("pending");
});

test("who agrees must be allowed to do it; a support may not even try", async () => {
  const held = await wallet("1000", "big");
  const path = `/approvals/${held.body.approval.approval_id}`;
  expect(await api.post(`${path}/approve`, {}, omar)).toMatchObject({ status: 403, body: { error: "forbidden" } });
  expect(await api.post(`${path}/reject`, { reason: "no" }, omar)).toMatchObject({ status: 403 });
  for (const role of ["support", "auditor"] as const)
    expect(await api.post(`${path}/approve`, {}, as("SOMEBODY", role))).toMatchObject({ status: 403 });
  expect(await api.post(`${path}/approve`, {}, asha)).toMatchObject({ status: 409 });
  expect(await api.post(`${path}/withdraw`, {}, binu)).toMatchObject({ status: 409 });
  expect((await api.get(path)).body.state).toBe("waiting");
  expect(await api.post(`${path}/reject`, {}, binu)).toMatchObject({ status: 400, body: { fields: { reason: expect.any(String) } } });
  expect(await api.post(`${path}/reject`, { reason: "no such transfer" }, binu)).toMatchObject({ body: { state: "rejected" } });
  expect((await api.post(`${path}/approve`, {}, root)).status).toBe(409);
  expect(await balance()).toBe("0.0001");
  for (const verb of ["approve", "withdraw"]) expect((await api.post(`/approvals/NOBODY/${verb}`, {}, root)).status).toBe(404);
});

test("laxer rules wait for somebody else too, stricter ones hold at once", async () => {
  expect((await api.post("/approval-rules", { wallet_threshold: "500", keys_included: true }, root)).body).toEqual({
    wallet_threshold: "500.0000",
    order_threshold: "10.0000",
    keys_included: true,
    pricing_included: true,
    providers_included: true,
    expire_hours: 24,
    new_person_hours: 24,
  });
  expect((await api.post(`/accounts/${accountId}/wallet`, { amount: "500", reference: "key" })).status).toBe(202);
  const held = await api.post("/approval-rules", { wallet_threshold: null, keys_included: false, reason: "month end" }, root);
  expect(held).toMatchObject({
    status: 202,
    body: {
      approval: {
        kind: "rules",
        amount: null,
        input: {
          changes: { wallet_threshold: { from: "500.0000", to: null }, keys_included: { from: true, to: false } },
          reason: "month end",
        },
      },
    },
  });
  expect((await api.get("/approval-rules")).body.keys_included).toBe(true);
  expect((await api.post(`/approvals/${held.body.approval.approval_id}/approve`, {}, binu)).status).toBe(403);
  expect(await approved(held, as("RITA", "admin"))).toMatchObject({ state: "done" });
  expect((await api.get("/approval-rules")).body).toMatchObject({ wallet_threshold: null, keys_included: false });
});

test("rules that have moved on are not taken back to what was agreed to", async () => {
  const held = await api.post("/approval-rules", { wallet_threshold: "2000" }, root);
  await api.post("/approval-rules", { wallet_threshold: "800" }, root);
  expect(await approved(held, as("RITA", "admin"))).toMatchObject({
    state: "failed",
    result: { reason: "The rules were changed in the meantime." },
  });
  expect((await api.get("/approval-rules")).body.wallet_threshold).toBe("800.0000");
});

test.each([
  { wallet_threshold: "0" },
  { wallet_threshold: 5 },
  { expire_hours: 0 },
  { expire_hours: 721 },
  { keys_included: null },
  { pricing_included: "yes" },
  { new_person_hours: -1 },
  { new_person_hours: 8761 },
  { x: 1 },
])("rules that cannot be are refused: %j", async (body) => {
  expect((await api.post("/approval-rules", body, root)).status).toBe(400);
});

test("the list is filtered by state, kind and account, and paged", async () => {
  const ids = [];
  for (const reference of ["a", "b", "c"]) ids.unshift((await wallet("1000", reference)).body.approval.approval_id);
  await api.post(`/approvals/${ids[1]}/reject`, { reason: "no" }, binu);
  const list = async (query: string) => {
    const { body } = await api.get(`/approvals?account_id=${accountId}&${query}`);
    return [body.items.map((one: { approval_id: string }) => one.approval_id), body.next] as const;
  };
  expect((await list(""))[0]).toEqual(ids);
  expect((await list("state=waiting"))[0]).toEqual([ids[0], ids[2]]);
  expect((await list("state=decided"))[0]).toEqual([ids[1]]);
  expect((await list("kind=rules"))[0]).toEqual([]);
  const [first, next] = await list("limit=2");
  expect([first, (await list(`limit=2&after=${next}`))[0]]).toEqual([ids.slice(0, 2), ids.slice(2)]);
  for (const query of ["state=open", "kind=x", "after=x"]) expect((await api.get(`/approvals?${query}`)).status).toBe(400);
});
