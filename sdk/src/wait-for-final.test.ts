import { expect, test } from "vitest";
import { INTERNAL_ERROR, NOT_FOUND, notCreated, PAUSED, recharge, refused } from "../testing/replies.js";
import { bench, type Step } from "../testing/scripted-fetch.js";
import { AbortedError, AccountRefusedError, NotFoundError, RateLimitedError, UsageError } from "./errors.js";

const INPUT = { urid: "ORDER-1", account: "9876543210", operator: "AT", amount: "199.00" } as const;
const PENDING = recharge("pending");
const RESET: Step = { fails: "fetch failed", code: "ECONNRESET" };

test("the first check comes 30 seconds after the reply, the later ones once a minute", async () => {
  const { corprail, clock } = bench([PENDING, PENDING, PENDING, recharge("SUCCESS")]);
  expect(await corprail.recharge.waitForFinal({ urid: "ORDER-1" })).toMatchObject({ outcome: "succeeded" });
  expect(clock.waits).toEqual([30_000, 60_000, 60_000, 60_000]);
});

test("a transaction that stays pending is returned as pending when the time is up, with a last check at the end", async () => {
  const { corprail, clock } = bench([PENDING, PENDING, PENDING]);
  const result = await corprail.recharge.waitForFinal({ orderId: "01JXQ0A1B2C3D4E5F6" }, { giveUpAfterMs: 100_000 });
  expect(result).toMatchObject({ outcome: "pending", customerRefund: "wait" });
  expect(clock.waits).toEqual([30_000, 60_000, 10_000]);
});

test("failures that pass are waited out", async () => {
  const { corprail } = bench([INTERNAL_ERROR, RESET, "silence", recharge("FAILED")]);
  expect(await corprail.recharge.waitForFinal({ urid: "ORDER-1" }, { maxRetries: 0 })).toMatchObject({ outcome: "failed" });
});

test("a Retry-After longer than the pace is honoured between checks", async () => {
  const limited = refused(429, "rate_limited", 123, {}, { "retry-after": "90" });
  const { corprail, clock } = bench([limited, recharge("SUCCESS")]);
  expect(await corprail.recharge.waitForFinal({ urid: "ORDER-1" })).toMatchObject({ outcome: "succeeded" });
  expect(clock.waits).toEqual([30_000, 90_000]);
});

test("what does not pass is thrown at once", async () => {
  await expect(bench([PAUSED]).corprail.recharge.waitForFinal({ urid: "ORDER-1" })).rejects.toBeInstanceOf(AccountRefusedError);
  await expect(bench([NOT_FOUND]).corprail.recharge.waitForFinal({ urid: "ORDER-1" })).rejects.toBeInstanceOf(NotFoundError);
});

test("when no check was ever answered, the last failure is thrown", async () => {
  const limited = refused(429, "rate_limited", 123);
  const { corprail } = bench([limited, limited]);
  const wait = { giveUpAfterMs: 60_000, maxRetries: 0 };
  await expect(corprail.recharge.waitForFinal({ urid: "ORDER-1" }, wait)).rejects.toBeInstanceOf(RateLimitedError);
});

test("an abort ends the wait between checks", async () => {
  const ending = new AbortController();
  const { corprail, requested } = bench([], { clock: { now: () => 1_750_000_000_000, after: () => () => {} } });
  const waiting = corprail.recharge.waitForFinal({ urid: "ORDER-1" }, { signal: ending.signal });
  ending.abort();
  await expect(waiting).rejects.toBeInstanceOf(AbortedError);
  expect(requested()).toEqual([]);
});

test("createAndSettle returns a final answer at once and waits for a pending one", async () => {
  expect(await bench([recharge("SUCCESS")]).corprail.recharge.createAndSettle(INPUT)).toMatchObject({ outcome: "succeeded" });
  expect(await bench([notCreated()]).corprail.recharge.createAndSettle(INPUT)).toMatchObject({ outcome: "not_created" });
  const waited = bench([PENDING, PENDING, recharge("FAILED")]);
  expect(await waited.corprail.recharge.createAndSettle(INPUT)).toMatchObject({ outcome: "failed", customerRefund: "due" });
  expect(waited.requested()).toEqual(["POST /recharge", "GET /recharge", "GET /recharge"]);
  expect(waited.clock.waits).toEqual([30_000, 60_000]);
});

test("createAndSettle sends what was lost again with the same reference", async () => {
  const lost = [RESET, NOT_FOUND, NOT_FOUND] as const;
  const { corprail, requested } = bench([...lost, NOT_FOUND, recharge("SUCCESS")]);
  expect(await corprail.recharge.createAndSettle(INPUT, { maxRetries: 0 })).toMatchObject({ outcome: "succeeded" });
  expect(requested().at(-1)).toBe("POST /recharge");
});

test("a wait that makes no sense is refused", async () => {
  const { corprail } = bench([]);
  for (const options of [{ checkEveryMs: 0 }, { giveUpAfterMs: -1 }, { firstCheckAfterMs: Number.NaN }]) {
    await expect(corprail.recharge.waitForFinal({ urid: "ORDER-1" }, options)).rejects.toBeInstanceOf(UsageError);
  }
});
