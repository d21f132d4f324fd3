import { afterAll, beforeAll, expect, test } from "vitest";
import { REASON_CODES } from "./complaint.ts";
import { complaintReply } from "./record.ts";
import { type Client, createFixture, type Fixture } from "./testing/fixture.ts";

let fixture: Fixture;
let client: Client;
beforeAll(async () => {
  fixture = await createFixture();
  client = await fixture.client();
});
afterAll(() => fixture?.close());

const INDIA_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const CODES = { complaint_exists: 151, already_failed: 153, still_pending: 154, complaint_window_closed: 155, not_found: 125 } as const;
const refusedWith = (error: keyof typeof CODES, more: object = {}) => ({
  status: "rejected",
  error,
  code: CODES[error],
  message: expect.any(String),
  ...more,
});

test("a complaint is answered with exactly the contract's record, and read back the same", async () => {
  const orderId = await client.order({ reference: "first" });
  const raised = await client.complain({ urid: "first", reason: "wrong_number", description: "Wrong number, नमस्ते" });
  expect(raised).toEqual({
    status: 201,
    body: {
      ok: true,
      complaint_ref: expect.stringMatching(/^CMP[A-Z0-9]{12}$/),
      order_id: orderId,
      urid: "first",
      service: "recharge",
      reason_code: "wrong_number",
      description: "Wrong number, नमस्ते",
      status: "OPEN",
      stage: "logged",
      refund_amount: "0.0000",
      reason: "",
      transaction_status: "SUCCESS",
      raised_at: expect.stringMatching(INDIA_TIME),
      due_by: expect.stringMatching(INDIA_TIME),
      resolved_at: null,
    },
  });
  expect(Date.parse(raised.body.due_by) - Date.parse(raised.body.raised_at)).toBe(7 * 24 * 60 * 60 * 1000);
  expect(complaintReply.parse(raised.body)).toEqual(raised.body);
  expect(await client.get(`/complaints/${raised.body.complaint_ref}`)).toEqual({ status: 200, body: raised.body });
});

test("every reason of the contract is taken", async () => {
  for (const reason of REASON_CODES) {
    const raised = await client.complain({ order_id: await client.order(), reason });
    expect(raised).toMatchObject({ status: 201, body: { reason_code: reason } });
  }
});

const WRONG: readonly (readonly [what: string, fields: object, field: string])[] = [
  ["no reference", {}, "order_id"],
  ["two references", { urid: "w", order_id: "ABCDEFGHJKMN" }, "order_id"],
  ["three references", { urid: "w", order_id: "ABCDEFGHJKMN", request_id: "w" }, "order_id"],
  ["a urid that cannot be one", { urid: "a b" }, "urid"],
  ["a urid that is a number", { urid: 7 }, "urid"],
  ["a request_id that cannot be one", { request_id: "" }, "request_id"],
  ["an order_id that is null", { order_id: null }, "order_id"],
  ["an unknown reason", { urid: "w", reason: "because" }, "reason"],
  ["a reason that is a number", { urid: "w", reason: 7 }, "reason"],
  ["no reason", { urid: "w", reason: undefined }, "reason"],
  ["no description", { urid: "w", description: undefined }, "description"],
  ["a description of four characters", { urid: "w", description: "1234" }, "description"],
  ["a description of four characters outside the basic plane", { urid: "w", description: "😀😀😀😀" }, "description"],
  ["a description of 501 characters", { urid: "w", description: "x".repeat(501) }, "description"],
  ["a complaint_request_id that cannot be one", { urid: "w", complaint_request_id: "x".repeat(65) }, "complaint_request_id"],
  ["an unknown service", { request_id: "w", service: "taxi" }, "service"],
];
test.each(WRONG)("%s is refused with the field's name", async (_what, fields, field) => {
  const refused = await client.complain(fields);
  expect(refused).toMatchObject({ status: 400, body: { status: "rejected", error: "invalid_request", code: 120 } });
  expect(Object.keys(refused.body.fields)).toEqual([field]);
});

test.each([5, 500])("a description of %i characters is taken, whatever their size in memory", async (length) => {
  const description = "😀".repeat(length);
  expect(await client.complain({ order_id: await client.order(), description })).toMatchObject({ status: 201, body: { description } });
});

test("a urid names a recharge, a request_id a signed service, and an ambiguous one needs the service", async () => {
  const recharge = await client.order({ reference: "shared" });
  const bill = await client.order({ service: "bills", reference: "shared" });
  const transfer = await client.order({ service: "transfers", reference: "shared" });
  expect(await client.complain({ request_id: "shared" })).toMatchObject({ status: 400, body: { fields: { service: expect.any(String) } } });
  expect(await client.complain({ request_id: "shared", service: "bus" })).toMatchObject({ status: 404 });
  expect(await client.complain({ request_id: "shared", service: "recharge" })).toMatchObject({ status: 404 });
  const named = [
    [{ urid: "shared" }, recharge, "recharge"],
    [{ request_id: "shared", service: "bills" }, bill, "bills"],
    [{ request_id: "shared", service: "transfers" }, transfer, "transfers"],
  ] as const;
  for (const [fields, orderId, service] of named)
    expect(await client.complain(fields)).toMatchObject({ status: 201, body: { order_id: orderId, service, urid: "shared" } });
  const alone = await client.order({ service: "bus", reference: "alone" });
  expect(await client.complain({ request_id: "alone" })).toMatchObject({ status: 201, body: { order_id: alone, service: "bus" } });
  expect(await client.complain({ urid: "alone" })).toMatchObject({ status: 404 });
});

const STANDING = [
  ["FAILED", { state: "FAILED" }, "already_failed"],
  ["pending for nine minutes", { state: "pending", ageMinutes: 9 }, "still_pending"],
  ["31 days old", { ageMinutes: 31 * 24 * 60 }, "complaint_window_closed"],
] as const;
test.each(STANDING)("an order that is %s is not complained about", async (_what, order, error) => {
  const orderId = await client.order({ ...order, reference: `not-${error}` });
  const reply = await client.complain({ urid: `not-${error}` });
  expect(reply).toEqual({ status: 422, body: refusedWith(error, { urid: `not-${error}` }) });
  expect(await fixture.ctx.sql`select 1 from complaints where order_id = ${orderId}`).toHaveLength(0);
});

test("an order that has been pending for ten minutes, or is 29 days old, is", async () => {
  const pending = await client.complain({ order_id: await client.order({ state: "pending", ageMinutes: 11 }) });
  expect(pending).toMatchObject({ status: 201, body: { transaction_status: "pending" } });
  expect(await client.complain({ order_id: await client.order({ ageMinutes: 29 * 24 * 60 }) })).toMatchObject({ status: 201 });
});

test("an order has one open complaint, and a new one once that is cleared", async () => {
  const orderId = await client.order();
  const first = await client.complaint(orderId);
  const exists = refusedWith("complaint_exists", { complaint_ref: first, order_id: orderId });
  expect(await client.complain({ order_id: orderId })).toEqual({ status: 409, body: exists });
  expect((await fixture.clear(first, "stands")).status).toBe(200);
  const second = await client.complaint(orderId);
  expect(second).not.toBe(first);
});

test("a repeat of the complaint_request_id gets the same record as it stands now, and never another order's", async () => {
  const orderId = await client.order({ reference: "keyed" });
  const first = await client.complain({ urid: "keyed", complaint_request_id: "K-1" });
  expect(first.status).toBe(201);
  expect(await client.complain({ urid: "keyed", complaint_request_id: "K-1" })).toEqual({ status: 200, body: first.body });
  expect(await client.complain({ order_id: orderId, complaint_request_id: "K-1" })).toEqual({ status: 200, body: first.body });
  expect(await client.complain({ order_id: await client.order(), complaint_request_id: "K-1" })).toMatchObject({
    status: 409,
    body: { error: "duplicate_reference", code: 124, order_id: orderId, complaint_ref: first.body.complaint_ref },
  });
  await fixture.clear(first.body.complaint_ref, "refund");
  expect(await client.complain({ urid: "keyed", complaint_request_id: "K-1" })).toMatchObject({
    status: 200,
    body: { complaint_ref: first.body.complaint_ref, status: "REFUNDED", transaction_status: "FAILED" },
  });
  const other = await fixture.client();
  const theirs = await other.complain({ order_id: await other.order(), complaint_request_id: "K-1" });
  expect(theirs.status).toBe(201);
});

test("another account's order and complaint are not found", async () => {
  const other = await fixture.client();
  const orderId = await client.order({ reference: "mine" });
  const ref = await client.complaint(orderId);
  expect(await other.complain({ order_id: orderId })).toEqual({ status: 404, body: refusedWith("not_found") });
  expect(await other.complain({ urid: "mine" })).toEqual({ status: 404, body: refusedWith("not_found", { urid: "mine" }) });
  expect(await other.get(`/complaints/${ref}`)).toEqual({ status: 404, body: refusedWith("not_found") });
  expect((await other.get("/complaints")).body).toEqual({ ok: true, items: [], next: null });
});

test.each(["CMPNOSUCHREF00", "CMP000000000000", "cmp000000000000", "x", "CMP0000000000000", `CMP${"0".repeat(300)}`, "TEST-1"])(
  "the unknown reference %s is not found",
  async (ref) => {
    expect(await client.get(`/complaints/${ref}`)).toEqual({ status: 404, body: refusedWith("not_found") });
  },
);

test("twenty at once make one complaint, and the others get its reference", async () => {
  const orderId = await client.order();
  const replies = await Promise.all(Array.from({ length: 20 }, () => client.complain({ order_id: orderId })));
  const made = replies.filter((reply) => reply.status === 201);
  expect(made).toHaveLength(1);
  const ref = made[0]?.body.complaint_ref;
  for (const reply of replies.filter((one) => one !== made[0]))
    expect(reply).toMatchObject({ status: 409, body: { error: "complaint_exists", complaint_ref: ref } });
});

test("twenty at once with one complaint_request_id make one complaint, and all get it", async () => {
  const orderId = await client.order();
  const raise = () => client.complain({ order_id: orderId, complaint_request_id: `many-${orderId}` });
  const replies = await Promise.all(Array.from({ length: 20 }, raise));
  expect(replies.map((reply) => reply.status).toSorted()).toEqual([...Array.from({ length: 19 }, () => 200), 201]);
  expect(new Set(replies.map((reply) => reply.body.complaint_ref)).size).toBe(1);
});

test.each([
  [{ standing: "paused" }, "account_paused"],
  [{ standing: "inactive" }, "account_inactive"],
  [{ kyc: "pending" }, "kyc_not_verified"],
  [{ agreement: "pending" }, "agreement_not_signed"],
])("while %j nothing of complaints is answered", async (settings, error) => {
  const refusedClient = await fixture.client();
  const orderId = await refusedClient.order();
  const ref = await refusedClient.complaint(await refusedClient.order());
  await fixture.operator.post(`/accounts/${refusedClient.accountId}`, settings);
  const replies = [await refusedClient.complain({ order_id: orderId }), await refusedClient.get(`/complaints/${ref}`)];
  for (const reply of [...replies, await refusedClient.get("/complaints")])
    expect(reply).toMatchObject({ status: 403, body: { status: "rejected", error, code: 331 } });
});
