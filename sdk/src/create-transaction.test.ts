import { expect, test } from "vitest";
import { BAD_SIGNATURE, BUSY, INTERNAL_ERROR, NOT_FOUND, notCreated, PAUSED, RATE_LIMITED, recharge, refused } from "../testing/replies.js";
import { bench, type Step } from "../testing/scripted-fetch.js";
import {
  AbortedError,
  AccountRefusedError,
  CredentialError,
  DuplicateReferenceError,
  InsufficientBalanceError,
  InvalidRequestError,
  NoAnswerError,
  RateLimitedError,
  RefusedError,
  ServerError,
  SignatureError,
  UsageError,
} from "./errors.js";

const INPUT = { urid: "ORDER-1", account: "9876543210", operator: "AT", amount: "199.00" } as const;
const POST = "POST /recharge";
const GET = "GET /recharge";
const RESET: Step = { fails: "fetch failed", code: "ECONNRESET" };
const CLOSED: Step = { fails: "fetch failed", code: "ECONNREFUSED" };

test.each([
  ["SUCCESS", { outcome: "succeeded", final: true, customerRefund: "not_due" }],
  ["FAILED", { outcome: "failed", final: true, customerRefund: "due" }],
  ["pending", { outcome: "pending", final: false, customerRefund: "wait" }],
] as const)("a reply that says %s is a value that says whether the customer is to be refunded", async (status, expected) => {
  const { corprail, requested } = bench([recharge(status)]);
  const result = await corprail.recharge.create(INPUT);
  expect(result).toMatchObject({ ...expected, orderId: "01JXQ0A1B2C3D4E5F6", urid: "ORDER-1", amount: "199.00", balance: "801.0000" });
  expect(result).not.toHaveProperty("status");
  expect(requested()).toEqual([POST]);
});

test.each([
  ["for an account reason", notCreated({ ok: false, error: "kyc_not_verified" }), "kyc_not_verified"],
  ["that is recharge's own", notCreated(), null],
])("a refusal on HTTP 200 %s is a value, not an error", async (_, reply, error) => {
  const result = await bench([reply]).corprail.recharge.create(INPUT);
  expect(result).toEqual({
    outcome: "not_created",
    final: true,
    customerRefund: "due",
    error,
    code: 331,
    urid: "ORDER-1",
    amount: "199.00",
    account: "9876543210",
    message: "Not now.",
  });
});

test.each([
  ["a time-out", "silence"],
  ["a broken connection", RESET],
  ["a 500", INTERNAL_ERROR],
  ["a proxy's 502", { status: 502, body: "<html>" }],
  ["a proxy's page with 200", { status: 200, body: "<html>" }],
  ["a redirect", { status: 302, body: "", headers: { location: "https://elsewhere.example/" } }],
  ["a status of later years", recharge("SUCCESS", { status: "ON_HOLD" })],
  ["a success without an order", recharge("SUCCESS", { order_id: "" })],
  ["a failed in small letters with an order", notCreated({ order_id: "01JXQ0A1B2C3D4E5F6" })],
  ["another reference's reply", recharge("SUCCESS", { urid: "ORDER-2" })],
] as const satisfies readonly (readonly [string, Step])[])(
  "after %s it looks the transaction up instead of reporting failure",
  async (_, step) => {
    const { corprail, requested, sent } = bench([step, recharge("pending")]);
    expect(await corprail.recharge.create(INPUT)).toMatchObject({ outcome: "pending" });
    expect(requested()).toEqual([POST, GET]);
    expect(sent[1]?.query).toBe("urid=ORDER-1");
  },
);

test("when the look-up finds nothing it sends the same bytes again, with a new timestamp, nonce and signature", async () => {
  const { corprail, requested, sent } = bench(["silence", NOT_FOUND, recharge("SUCCESS")]);
  expect(await corprail.recharge.create(INPUT)).toMatchObject({ outcome: "succeeded" });
  expect(requested()).toEqual([POST, GET, POST]);
  expect(sent[2]?.body).toBe(sent[0]?.body);
  const headers = (name: string) => new Set([sent[0], sent[2]].map((one) => one?.headers[name]));
  for (const name of ["X-Api-Timestamp", "X-Api-Nonce", "X-Api-Signature"]) expect(headers(name).size, name).toBe(2);
});

test("when neither attempts nor look-ups are answered the outcome is unknown, and attempts are bounded", async () => {
  const { corprail, requested } = bench(Array.from({ length: 20 }, () => RESET));
  const result = await corprail.recharge.create(INPUT);
  expect(result).toMatchObject({ outcome: "unknown", final: false, customerRefund: "wait", urid: "ORDER-1" });
  expect(result.outcome === "unknown" && result.cause).toBeInstanceOf(NoAnswerError);
  expect(requested().filter((one) => one === POST)).toHaveLength(3);
});

test("a transaction that no look-up finds after unanswered attempts is unknown, not failed", async () => {
  const { corprail } = bench([RESET, NOT_FOUND, RESET, NOT_FOUND, RESET, NOT_FOUND, NOT_FOUND]);
  expect(await corprail.recharge.create(INPUT)).toMatchObject({ outcome: "unknown", customerRefund: "wait" });
});

test("after invalid_signature on a retry it looks the transaction up", async () => {
  const { corprail, requested } = bench([RESET, NOT_FOUND, BAD_SIGNATURE, recharge("SUCCESS")]);
  expect(await corprail.recharge.create(INPUT)).toMatchObject({ outcome: "succeeded" });
  expect(requested()).toEqual([POST, GET, POST, GET]);
});

test("invalid_signature on a retry whose look-up says nothing leaves the outcome unknown", async () => {
  const { corprail } = bench([RESET, RESET, BAD_SIGNATURE, BAD_SIGNATURE]);
  expect(await corprail.recharge.create(INPUT)).toMatchObject({ outcome: "unknown", cause: { error: "invalid_signature" } });
});

test("invalid_signature after a refusal that did no work is thrown once the look-up has found nothing", async () => {
  const { corprail, requested } = bench([RATE_LIMITED, BAD_SIGNATURE, NOT_FOUND]);
  await expect(corprail.recharge.create(INPUT)).rejects.toMatchObject({ error: "invalid_signature", customerRefund: "wait" });
  expect(requested()).toEqual([POST, POST, GET]);
});

test.each([
  ["token_invalid", refused(401, "token_invalid", 102), CredentialError],
  ["ip_not_allowed", refused(403, "ip_not_allowed", 2428), CredentialError],
  ["invalid_signature", BAD_SIGNATURE, SignatureError],
  ["invalid_request", refused(400, "invalid_request", 120, { fields: { amount: "is no amount" } }), InvalidRequestError],
  ["duplicate_reference", refused(409, "duplicate_reference", 124, { order_id: "01JXQ0A1B2C3D4E5F6" }), DuplicateReferenceError],
] as const)("%s is a typed error that never says that a refund is due", async (error, step, type) => {
  const { corprail, requested } = bench([step]);
  const thrown = await corprail.recharge.create(INPUT).catch((reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(type);
  expect(thrown).toMatchObject({ error, customerRefund: "wait", requestId: "REQ0000000000000000A", name: type.name });
  expect(requested()).toEqual([POST]);
});

test("a typed error carries what the service said", async () => {
  const body = { fields: { amount: "is no amount" }, urid: "ORDER-1", order_id: "01JXQ0A1B2C3D4E5F6" };
  const { corprail } = bench([refused(400, "invalid_request", 120, body)]);
  await expect(corprail.recharge.create(INPUT)).rejects.toMatchObject({
    code: 120,
    error: "invalid_request",
    httpStatus: 400,
    fields: { amount: "is no amount" },
    urid: "ORDER-1",
    orderId: "01JXQ0A1B2C3D4E5F6",
    message: "No: invalid_request. (invalid_request, code 120, HTTP 400)",
  });
});

test.each([
  ["insufficient_balance", refused(402, "insufficient_balance", 126), InsufficientBalanceError],
  ["amount_out_of_range", refused(422, "amount_out_of_range", 127), RefusedError],
] as const)("%s proves that nothing was created, so a refund is due", async (_, step, type) => {
  const thrown = await bench([step])
    .corprail.recharge.create(INPUT)
    .catch((reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(type);
  expect(thrown).toMatchObject({ customerRefund: "due" });
});

test("a refusal of a retry counts only after the look-up agreed that nothing exists", async () => {
  const lost = [RESET, NOT_FOUND, refused(402, "insufficient_balance", 126)] as const;
  await expect(bench([...lost, NOT_FOUND]).corprail.recharge.create(INPUT)).rejects.toMatchObject({ customerRefund: "due" });
  expect(await bench([...lost, recharge("SUCCESS")]).corprail.recharge.create(INPUT)).toMatchObject({ outcome: "succeeded" });
  expect(await bench([...lost, RESET, RESET, RESET]).corprail.recharge.create(INPUT)).toMatchObject({ outcome: "unknown" });
});

test.each([
  ["amount", { amount: "200.00" }],
  ["account", { account: "9876543211" }],
])("a transaction found by the reference that has another %s is not taken for this one", async (_, more) => {
  const { corprail } = bench([RESET, recharge("SUCCESS", more)]);
  const thrown = await corprail.recharge.create(INPUT).catch((reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(DuplicateReferenceError);
  expect(thrown).toMatchObject({ orderId: "01JXQ0A1B2C3D4E5F6", customerRefund: "wait" });
});

test("amounts compare as money, so 199 finds the transaction of 199.00", async () => {
  const { corprail } = bench([RESET, recharge("SUCCESS", { amount: "199.00" })]);
  expect(await corprail.recharge.create({ ...INPUT, amount: "199" })).toMatchObject({ outcome: "succeeded" });
});

test("a 409 on a retry is not answered with the other transaction's result", async () => {
  const { corprail } = bench([RESET, NOT_FOUND, refused(409, "duplicate_reference", 124, { order_id: "01JXQ0A1B2C3D4E5F6" })]);
  await expect(corprail.recharge.create(INPUT)).rejects.toBeInstanceOf(DuplicateReferenceError);
});

test("a 403 for an account reason means that the reference is known: it is looked up", async () => {
  expect(await bench([PAUSED, recharge("SUCCESS")]).corprail.recharge.create(INPUT)).toMatchObject({ outcome: "succeeded" });
  const thrown = await bench([PAUSED, PAUSED])
    .corprail.recharge.create(INPUT)
    .catch((reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(AccountRefusedError);
  expect(thrown).toMatchObject({ customerRefund: "wait" });
});

test.each([
  ["rate_limited", RATE_LIMITED, RateLimitedError],
  ["busy", BUSY, ServerError],
  ["a refused connection", CLOSED, NoAnswerError],
] as const)("%s is sent again without a look-up, and thrown when it stays", async (_, step, type) => {
  const passing = bench([step, recharge("SUCCESS")]);
  expect(await passing.corprail.recharge.create(INPUT)).toMatchObject({ outcome: "succeeded" });
  expect(passing.requested()).toEqual([POST, POST]);
  const staying = bench([step, step, step]);
  const thrown = await staying.corprail.recharge.create(INPUT).catch((reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(type);
  expect(thrown).toMatchObject({ customerRefund: "wait" });
});

test("a transaction lost first and refused for the rate afterwards is unknown, not refused", async () => {
  const { corprail } = bench([RESET, NOT_FOUND, RATE_LIMITED, RATE_LIMITED, NOT_FOUND]);
  expect(await corprail.recharge.create(INPUT)).toMatchObject({ outcome: "unknown" });
});

test("an aborted call throws, says that the transaction may exist, and sends nothing more", async () => {
  const ending = new AbortController();
  const { corprail, requested } = bench(["silence"], { clock: { now: () => 1_750_000_000_000, after: () => () => {} } });
  const call = corprail.recharge.create(INPUT, { signal: ending.signal });
  ending.abort();
  await expect(call).rejects.toBeInstanceOf(AbortedError);
  await expect(call).rejects.toMatchObject({ customerRefund: "wait" });
  await expect(corprail.recharge.create(INPUT, { signal: ending.signal })).rejects.toBeInstanceOf(AbortedError);
  expect(requested()).toEqual([POST]);
});

test("maxRetries 0 makes one attempt, and still looks up", async () => {
  const { corprail, requested } = bench([RESET, NOT_FOUND, NOT_FOUND]);
  expect(await corprail.recharge.create(INPUT, { maxRetries: 0 })).toMatchObject({ outcome: "unknown" });
  expect(requested()).toEqual([POST, GET, GET]);
});

test.each(["", "a b", "x".repeat(65), "a&b"])(
  "a reference that could not be looked up again is refused before anything is sent: %j",
  async (urid) => {
    const { corprail, requested } = bench([]);
    await expect(corprail.recharge.create({ ...INPUT, urid })).rejects.toBeInstanceOf(UsageError);
    expect(requested()).toEqual([]);
  },
);

test("a signed service is not called without a signing secret", async () => {
  const { corprail, requested } = bench([], { signingSecret: undefined });
  const input = { requestId: "B-1", fetchRef: "F1", amount: "10.00", paymentMode: "UPI", payerName: "Asha" };
  await expect(corprail.bills.pay(input)).rejects.toThrow("must be signed");
  expect(requested()).toEqual([]);
});
