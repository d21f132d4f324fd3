import { expect, test } from "vitest";
import { BUSY, INTERNAL_ERROR, RATE_LIMITED, refused } from "../testing/replies.js";
import { bench, type Step } from "../testing/scripted-fetch.js";
import { InvalidRequestError, RateLimitedError, ServerError, UsageError } from "./errors.js";

const BALANCE: Step = {
  status: 200,
  body: {
    ok: true,
    status: "SUCCESS",
    code: 0,
    balance: "1.0000",
    held: "0.0000",
    currency: "INR",
    wallet: "active",
    as_of: 1_750_000_000,
  },
};
const RESET: Step = { fails: "fetch failed", code: "ECONNRESET" };
const QUOTE = { requestId: "Q-1", sender: "9876543210", beneficiaryId: "BEN1", amount: "100.00" };

const QUOTED: Step = {
  status: 200,
  body: { ok: true, transfer_ref: "T1", fee: "10.0000", total: "110.0000", limit_left: "1.0000", valid_until: 1 },
};

test.each([
  ["no answer", "silence"],
  ["a broken connection", RESET],
  ["a 500", INTERNAL_ERROR],
  ["a rate limit", RATE_LIMITED],
] as const)("a GET is repeated after %s", async (_, step) => {
  const { corprail, sent } = bench([step, step, BALANCE]);
  expect(await corprail.account.balance()).toMatchObject({ balance: "1.0000", asOf: 1_750_000_000 });
  expect(new Set(sent.map((one) => one.headers["X-Api-Nonce"])).size).toBe(3);
});

test("retries are bounded, and what is thrown last is the last failure", async () => {
  const { corprail, requested } = bench([RESET, RESET, INTERNAL_ERROR]);
  await expect(corprail.account.balance()).rejects.toBeInstanceOf(ServerError);
  expect(requested()).toHaveLength(3);
});

test("a mistake in the request is not repeated", async () => {
  const { corprail, requested } = bench([refused(400, "invalid_request", 120)]);
  await expect(corprail.account.transactions({ from: "yesterday" }).page()).rejects.toBeInstanceOf(InvalidRequestError);
  expect(requested()).toHaveLength(1);
});

test("a POST with a reference is repeated like a GET, with the same bytes: the service acts once per reference", async () => {
  const { corprail, sent } = bench([RESET, "silence", QUOTED]);
  expect(await corprail.transfers.quote(QUOTE)).toMatchObject({ transferRef: "T1", limitLeft: "1.0000" });
  expect(new Set(sent.map((one) => one.body)).size).toBe(1);
});

test("a POST without a reference is repeated only when the first surely did nothing", async () => {
  const otp = { mobile: "9876543210", otpRef: "OTP1", otp: "111000" };
  for (const step of [RESET, "silence", INTERNAL_ERROR] as const) {
    const lost = bench([step]);
    await expect(lost.corprail.transfers.senders.verify(otp)).rejects.toMatchObject({ customerRefund: "wait" });
    expect(lost.requested()).toHaveLength(1);
  }
  const closed: Step = { fails: "fetch failed", code: "ECONNREFUSED" };
  const undone = bench([closed, BUSY, { status: 200, body: { ok: true, sender: { status: "VERIFIED" } } }]);
  expect(await undone.corprail.transfers.senders.verify(otp)).toEqual({ status: "VERIFIED" });
});

test("a complaint always carries a reference of its own, so that repeating it is safe", async () => {
  const { corprail, sent } = bench([RESET, { status: 201, body: { ok: true, complaint_ref: "CMP0123456789AB" } }]);
  const raised = await corprail.complaints.raise({ urid: "ORDER-1", reason: "not_credited", description: "Nothing came." });
  expect(raised).toEqual({ complaintRef: "CMP0123456789AB" });
  expect(sent[0]?.json).toMatchObject({
    urid: "ORDER-1",
    reason: "not_credited",
    complaint_request_id: expect.stringMatching(/^sdk-[0-9a-f]{24}$/),
  });
  expect(sent[1]?.body).toBe(sent[0]?.body);
});

test.each([
  [429, "rate_limited", 123],
  [503, "busy", 140],
] as const)("Retry-After of %i %s is waited for before the retry", async (status, error, code) => {
  const { corprail, clock } = bench([refused(status, error, code, {}, { "retry-after": "7" }), BALANCE]);
  await corprail.account.balance();
  expect(clock.waits).toEqual([7_000]);
});

test("a Retry-After beyond the settings' patience is thrown with its seconds", async () => {
  const { corprail, requested } = bench([refused(429, "rate_limited", 123, {}, { "retry-after": "61" })]);
  const thrown = await corprail.account.balance().catch((reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(RateLimitedError);
  expect(thrown).toMatchObject({ retryAfterSeconds: 61, httpStatus: 429, code: 123 });
  expect(requested()).toHaveLength(1);
});

test("a time-out names how long was waited", async () => {
  const { corprail, clock } = bench(["silence"]);
  await expect(corprail.account.balance({ timeoutMs: 1_234, maxRetries: 0 })).rejects.toMatchObject({
    silence: "timeout",
    message: /1234 ms/,
  });
  expect(clock.waits).toEqual([1_234]);
});

test("without a signing secret calls carry the token alone", async () => {
  const { corprail, sent } = bench([BALANCE], { signingSecret: undefined });
  await corprail.account.balance();
  expect(Object.keys(sent[0]?.headers ?? {})).toEqual(["Accept", "X-Api-Token"]);
});

test("a text that cannot be encoded is refused with its name", async () => {
  await expect(bench([]).corprail.recharge.lookup({ account: "\ud800" })).rejects.toThrow("account holds half of a surrogate pair");
  await expect(bench([]).corprail.complaints.get("CMP/../x")).rejects.toBeInstanceOf(UsageError);
});
