import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryVault } from "../../accounts/testing/memory-vault.ts";
import { createOrdersFixture, ids, type OrdersFixture } from "../../orders/testing/fixture.ts";
import type { SignedContext } from "./context.ts";
import { newCode, OTP_MILLISECONDS, type OtpSubject, RESEND_MILLISECONDS, refuseResend, storeOtp, useOtp } from "./one-time-passwords.ts";

let fixture: OrdersFixture;
let ctx: SignedContext;
let now: number;
beforeAll(async () => {
  fixture = await createOrdersFixture();
  now = Date.now();
  ctx = { ...fixture.startProcess().ctx, vault: memoryVault(), clock: { now: () => now } } as SignedContext;
});
afterAll(() => fixture.close());

async function sent(): Promise<OtpSubject & { readonly otpRef: string }> {
  const otp = { accountId: ids.account(), purpose: "sender", subject: "9876543210", otpRef: ids.request() };
  await storeOtp(ctx, ctx.sql, { ...otp, mobile: "9876543210", code: "123456" });
  return otp;
}

const use = async (otp: OtpSubject & { readonly otpRef: string }, code: string) =>
  (await useOtp(ctx, ctx.sql, otp, { otpRef: otp.otpRef, code }))?.error ?? "right";

test("the right code opens once", async () => {
  const otp = await sent();
  expect([await use(otp, "123456"), await use(otp, "123456")]).toEqual(["right", "otp_invalid"]);
});

test("three wrong codes spend it: the right one then is refused too", async () => {
  const otp = await sent();
  for (let tried = 0; tried < 3; tried++) expect(await use(otp, "000000")).toBe("otp_invalid");
  for (const code of ["123456", "000000"]) expect(await use(otp, code)).toBe("otp_attempts_exceeded");
  expect(await refuseResend(ctx, ctx.sql, otp, otp.otpRef)).toMatchObject({ error: "otp_attempts_exceeded" });
});

test("guesses that come at once count one by one", async () => {
  const otp = await sent();
  const guess = (code: string) => ctx.sql.begin((tx) => useOtp(ctx, tx, otp, { otpRef: otp.otpRef, code }));
  const answers = await Promise.all(Array.from({ length: 20 }, (_, place) => guess(String(place).padStart(6, "0"))));
  expect(answers.filter((one) => one?.error === "otp_invalid")).toHaveLength(3);
  expect(await use(otp, "123456")).toBe("otp_attempts_exceeded");
});

test("it expires after five minutes, to the second", async () => {
  const [early, late] = [await sent(), await sent()];
  now += OTP_MILLISECONDS - 1;
  expect(await use(early, "123456")).toBe("right");
  now += 1;
  expect(await use(late, "123456")).toBe("otp_expired");
});

test("one made for another purpose, subject or account opens nothing", async () => {
  const otp = await sent();
  for (const other of [{ purpose: "beneficiary" }, { subject: "9876543211" }, { accountId: ids.account() }, { otpRef: "unknown" }])
    expect(await use({ ...otp, ...other }, "123456")).toBe("otp_invalid");
  expect(await use(otp, "123456")).toBe("right");
});

test("a new code can be sent after thirty seconds, and replaces the old one", async () => {
  const otp = await sent();
  expect(await refuseResend(ctx, ctx.sql, otp, otp.otpRef)).toMatchObject({ kind: "refused", error: "rate_limited" });
  now += RESEND_MILLISECONDS;
  expect(await refuseResend(ctx, ctx.sql, otp, otp.otpRef)).toEqual({ kind: "allowed", mobile: "9876543210" });
  await storeOtp(ctx, ctx.sql, { ...otp, mobile: "9876543210", code: "654321" });
  expect([await use(otp, "123456"), await use(otp, "654321")]).toEqual(["otp_invalid", "right"]);
});

test("a new code gives no new tries: three wrong ones spend the reference, whatever was sent in between", async () => {
  const otp = await sent();
  for (let tried = 0; tried < 2; tried++) expect(await use(otp, "000000")).toBe("otp_invalid");
  now += RESEND_MILLISECONDS;
  await storeOtp(ctx, ctx.sql, { ...otp, mobile: "9876543210", code: "654321" });
  expect([await use(otp, "000000"), await use(otp, "654321")]).toEqual(["otp_invalid", "otp_attempts_exceeded"]);
});

test("the code itself is nowhere in the database", async () => {
  const otp = await sent();
  const rows = await ctx.sql`select p::text as row from one_time_passwords p where otp_ref = ${otp.otpRef}`;
  const text = JSON.stringify(rows);
  for (const spelling of ["123456", Buffer.from("123456").toString("hex")]) expect(text).not.toContain(spelling);
});

test("codes have six digits and are not guessable from each other; a sender may have its own", () => {
  const sendOtp = async () => {};
  const codes = new Set(Array.from({ length: 200 }, () => newCode({ sendOtp })));
  expect(codes.size).toBeGreaterThan(150);
  for (const code of codes) expect(code).toMatch(/^[0-9]{6}$/);
  expect(newCode({ sendOtp, fixedCode: "111000" })).toBe("111000");
});
