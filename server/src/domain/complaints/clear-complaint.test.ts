import { afterAll, beforeAll, expect, test } from "vitest";
import { findById } from "../orders/store.ts";
import { cancel } from "../orders/testing/operations.ts";
import { type Client, createFixture, type Fixture } from "./testing/fixture.ts";

let fixture: Fixture;
const URLS = { callback_url: "http://127.0.0.1:9/status", complaint_callback_url: "http://127.0.0.1:9/complaints" };
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture?.close());

const [PENDING, SUCCESS, FAILED] = [0, 1, 2];

async function reverse(orderId: string): Promise<number> {
  return (await fixture.operator.post(`/orders/${orderId}/reverse`, { reason: "The provider took it back." })).status;
}

async function audited(ref: string): Promise<readonly { action: string; actor: string; details: Record<string, unknown> }[]> {
  return (await fixture.operator.get(`/audit?subject_kind=complaint&subject_id=${ref}`)).body.items;
}

async function complained(client: Client, order: Parameters<Client["order"]>[0] = {}) {
  const orderId = await client.order(order);
  return { orderId, ref: await client.complaint(orderId) };
}

test("a transaction that stands is RESOLVED: no money moves, SUCCESS is sent again and then the outcome", async () => {
  const client = await fixture.client(URLS);
  const { orderId, ref } = await complained(client);
  const before = await client.balance();
  const cleared = await fixture.clear(ref, "stands", "The operator shows the credit.");
  expect(cleared).toMatchObject({ status: 200, body: { account_id: client.accountId, blocked_by: null } });
  const record = {
    complaint_ref: ref,
    status: "RESOLVED",
    stage: "decided",
    refund_amount: "0.0000",
    reason: "The operator shows the credit.",
    transaction_status: "SUCCESS",
    resolved_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  };
  expect(cleared.body).toMatchObject(record);
  expect((await client.get(`/complaints/${ref}`)).body).toMatchObject(record);
  expect([await client.balance(), await client.state(orderId)]).toEqual([before, SUCCESS]);
  const facts = { order_id: orderId, urid: `U-${orderId}` };
  expect(await client.callbacks()).toMatchObject([
    { ...facts, kind: "status", status: "SUCCESS", amount: 100_000n, target: "9876543210", operator_ref: "OP-REF-1" },
    { ...facts, kind: "complaint", status: "RESOLVED", complaint_ref: ref, refund_amount: 0n, reason: "The operator shows the credit." },
  ]);
});

test("a refund returns amount and fee, fails the order, and tells FAILED once and then the outcome", async () => {
  const client = await fixture.client(URLS);
  const start = await client.balance();
  const { orderId, ref } = await complained(client, { service: "transfers", fee: 12_345n });
  expect(await client.balance()).toBe(start - 112_345n);
  const cleared = await fixture.clear(ref, "refund", "Failed at the bank.");
  expect(cleared).toMatchObject({
    status: 200,
    body: { status: "REFUNDED", stage: "decided", refund_amount: "11.2345", reason: "Failed at the bank.", transaction_status: "FAILED" },
  });
  expect([await client.balance(), await client.state(orderId)]).toEqual([start, FAILED]);
  const sent = await client.callbacks();
  expect(sent).toMatchObject([
    { kind: "status", status: "FAILED", order_id: orderId },
    { kind: "complaint", status: "REFUNDED", complaint_ref: ref, refund_amount: 112_345n, reason: "Failed at the bank." },
  ]);
  const { raised_at: _, ...record } = cleared.body;
  expect(sent[1]?.resolved_at).toBeInstanceOf(Date);
  expect(record.resolved_at).not.toBeNull();
});

const RECEIVERS: readonly (readonly [what: string, settings: object, outbox: readonly string[]])[] = [
  ["no URL", {}, []],
  ["a callback URL", { callback_url: URLS.callback_url }, ["status"]],
  ["a complaint URL", { complaint_callback_url: URLS.complaint_callback_url }, ["complaint"]],
  ["both", URLS, ["status", "complaint"]],
];
test.each(RECEIVERS)(
  "with %s, in either version, a cleared complaint is sent only to the URLs that are set",
  async (_what, settings, outbox) => {
    for (const version of [2, 3]) {
      const client = await fixture.client(settings);
      await fixture.operator.post(`/accounts/${client.accountId}/callback-secret`);
      const switched = await fixture.operator.post(`/accounts/${client.accountId}`, { callback_version: version });
      expect(switched.body.callback_version).toBe(version);
      for (const decision of ["stands", "refund"]) {
        const before = (await client.callbacks()).length;
        const { ref } = await complained(client);
        expect((await fixture.clear(ref, decision)).status).toBe(200);
        expect((await client.callbacks()).map((one) => one.kind).toSorted()).toHaveLength(before + outbox.length);
      }
      expect(new Set((await client.callbacks()).map((one) => one.kind))).toEqual(new Set(outbox));
    }
  },
);

test("an order that was reversed meanwhile does not stand, and its refund is sent but not posted again", async () => {
  const client = await fixture.client(URLS);
  const { orderId, ref } = await complained(client, { fee: 5_000n });
  expect(await reverse(orderId)).toBe(200);
  const before = await client.balance();
  expect(await fixture.clear(ref, "stands")).toMatchObject({ status: 409, body: { error: "conflict" } });
  expect(await client.callbacks()).toHaveLength(1);
  expect(await fixture.clear(ref, "refund")).toMatchObject({ status: 200, body: { status: "REFUNDED", refund_amount: "10.5000" } });
  expect(await client.balance()).toBe(before);
  expect((await client.callbacks()).map((one) => `${one.kind} ${one.status}`)).toEqual([
    "status FAILED",
    "status FAILED",
    "complaint REFUNDED",
  ]);
});

test("an order that was pending when the complaint was raised waits for its end", async () => {
  const client = await fixture.client(URLS);
  const { orderId, ref } = await complained(client, { state: "pending", ageMinutes: 11, fee: 1n });
  for (const decision of ["stands", "refund"]) expect(await fixture.clear(ref, decision)).toMatchObject({ status: 409 });
  expect(await client.state(orderId)).toBe(PENDING);
  await fixture.operator.post(`/orders/${orderId}/settle`, { status: "FAILED", reason: "Never arrived." });
  expect(await fixture.clear(ref, "refund")).toMatchObject({ status: 200, body: { status: "REFUNDED", refund_amount: "10.0001" } });
});

test("a refund to a suspended wallet is blocked, changes nothing, notifies no one, and can be cleared again", async () => {
  const client = await fixture.client(URLS);
  const { orderId, ref } = await complained(client);
  const before = await client.balance();
  await fixture.operator.post(`/accounts/${client.accountId}`, { wallet: "suspended" });
  for (let time = 0; time < 2; time++) {
    expect(await fixture.clear(ref, "refund")).toMatchObject({
      status: 200,
      body: {
        status: "OPEN",
        stage: "refund_blocked",
        refund_amount: "0.0000",
        reason: "",
        resolved_at: null,
        transaction_status: "SUCCESS",
      },
    });
  }
  expect((await client.get(`/complaints/${ref}`)).body).toMatchObject({ status: "OPEN", stage: "refund_blocked" });
  expect([await client.balance(), await client.state(orderId), await client.callbacks()]).toEqual([before, SUCCESS, []]);
  expect((await client.complain({ order_id: orderId })).status).toBe(409);
  await fixture.operator.post(`/accounts/${client.accountId}`, { wallet: "active" });
  expect(await fixture.clear(ref, "refund")).toMatchObject({
    status: 200,
    body: { status: "REFUNDED", stage: "decided", blocked_by: null },
  });
  expect(await client.balance()).toBe(before + 100_000n);
});

test("a blocked refund may also be decided the other way, and a suspended wallet does not keep a transaction from standing", async () => {
  const client = await fixture.client({ ...URLS, wallet: "suspended" });
  const { ref } = await complained(client);
  expect((await fixture.clear(ref, "refund")).body.stage).toBe("refund_blocked");
  expect(await fixture.clear(ref, "stands")).toMatchObject({ status: 200, body: { status: "RESOLVED", stage: "decided" } });
});

test("a refund of an order of which a part came back before is blocked", async () => {
  const client = await fixture.client(URLS);
  const { orderId, ref } = await complained(client, { service: "bus" });
  const order = await findById(fixture.ctx.sql, orderId);
  if (order) await fixture.ctx.writer.write(cancel(order, 3, false));
  const before = await client.balance();
  expect(await fixture.clear(ref, "refund")).toMatchObject({ status: 200, body: { status: "OPEN", stage: "refund_blocked" } });
  expect([await client.balance(), await client.state(orderId), await client.callbacks()]).toEqual([before, SUCCESS, []]);
  expect(await fixture.clear(ref, "stands")).toMatchObject({ status: 200, body: { status: "RESOLVED" } });
});

test("a cleared complaint is not cleared again, and an unknown one is 404", async () => {
  const client = await fixture.client(URLS);
  for (const decision of ["stands", "refund"]) {
    const { ref } = await complained(client);
    await fixture.clear(ref, decision);
    const before = [await client.balance(), (await client.callbacks()).length];
    for (const again of ["stands", "refund"])
      expect(await fixture.clear(ref, again)).toMatchObject({ status: 409, body: { error: "conflict" } });
    expect([await client.balance(), (await client.callbacks()).length]).toEqual(before);
  }
  for (const ref of ["CMP000000000000", "x", "CMP-1", "TEST-1"])
    expect(await fixture.clear(ref, "stands")).toMatchObject({ status: 404, body: { error: "not_found" } });
});

test.each([
  [{ decision: "maybe", reason: "x" }, "decision"],
  [{ reason: "x" }, "decision"],
  [{ decision: "stands" }, "reason"],
  [{ decision: "stands", reason: " " }, "reason"],
  [{ decision: "stands", reason: "x", note: "y" }, "note"],
])("clearing with %j is refused", async (body, field) => {
  const client = await fixture.client();
  const { ref } = await complained(client);
  const refused = await fixture.operator.post(`/complaints/${ref}/clear`, body);
  expect(refused).toMatchObject({ status: 400, body: { error: "invalid_request", fields: { [field]: expect.any(String) } } });
  expect((await client.get(`/complaints/${ref}`)).body.status).toBe("OPEN");
});

test("without an operator's key nothing is listed or cleared", async () => {
  const client = await fixture.client();
  const { ref } = await complained(client);
  expect((await fixture.operator.get("/complaints", { key: null })).status).toBe(401);
  const body = { decision: "refund", reason: "x" };
  expect((await fixture.operator.post(`/complaints/${ref}/clear`, body, { key: null })).status).toBe(401);
  expect((await client.get(`/complaints/${ref}`)).body.status).toBe("OPEN");
});

test("every decision is in the audit log with who took it, a refund under its order as well", async () => {
  const client = await fixture.client({ wallet: "suspended" });
  const { orderId, ref } = await complained(client);
  await fixture.clear(ref, "refund", "Failed.");
  await fixture.operator.post(`/accounts/${client.accountId}`, { wallet: "active" });
  const wakes = fixture.wakes();
  await fixture.clear(ref, "refund", "Failed.");
  expect(fixture.wakes()).toBe(wakes + 1);
  const common = { account_id: client.accountId, order_id: orderId, decision: "refund", reason: "Failed." };
  expect(await audited(ref)).toMatchObject([
    { actor: "operator-key", action: "complaint.cleared", details: { ...common, status: "REFUNDED", refund_amount: "10.0000" } },
    { actor: "operator-key", action: "complaint.refund_blocked", details: { ...common, blocked_by: expect.any(String) } },
  ]);
  const { body } = await fixture.operator.get(`/audit?subject_kind=order&subject_id=${orderId}`);
  expect(body.items).toMatchObject([{ action: "order.reversed", details: { reason: "Failed.", complaint_ref: ref } }]);
});

test("whatever was cleared, the ledger is sound", () => fixture.expectSoundLedger());
