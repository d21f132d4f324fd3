import { afterAll, beforeAll, expect, test } from "vitest";
import { newMobile, OTP, WRONG_OTP } from "../transfers/testing/flow.ts";
import { newOrder, newReference, type OtherInstallation, settled, startOtherInstallation } from "./testing/installation.ts";

let other: OtherInstallation;
beforeAll(async () => {
  other = await startOtherInstallation();
});
afterAll(() => other?.close());

const RESEND_MILLISECONDS = 30_000;
const person = (mobile: string) => ({ mobile, first_name: "Asha", last_name: "Verma", pincode: "411001", latitude: "", longitude: "" });
const payee = (sender: string, account = "50100123456000") => ({ sender, name: "Ravi Kumar", account, ifsc: "HDFC0001234", mobile: "" });

async function newSender(): Promise<string> {
  const mobile = newMobile();
  const { otp_ref } = await other.answer("transfers.sender.register", person(mobile));
  await other.answer("transfers.sender.verify", { ...person(mobile), otp: OTP, otp_ref });
  return mobile;
}

async function newParties(account?: string): Promise<{ readonly sender: string; readonly beneficiary_ref: string }> {
  const sender = await newSender();
  const { otp_ref, beneficiary_ref } = await other.answer("transfers.beneficiary.add", payee(sender, account));
  await other.answer("transfers.beneficiary.verify", { ...payee(sender, account), beneficiary_ref, otp: OTP, otp_ref });
  return { sender, beneficiary_ref };
}

const quote = (parties: Awaited<ReturnType<typeof newParties>>) => ({
  ...{ reference: newReference(), ...parties, account: "50100123456000", ifsc: "HDFC0001234", amount: "1000", mode: "IMPS" },
});

test("the banks are those that the provider can pay to", async () => {
  const { banks } = await other.answer("transfers.banks", {});
  expect(banks).toContainEqual({ bank: "HDFC", name: "HDFC Bank", status: "up" });
  expect(banks.filter((bank) => bank.status === "down")).toHaveLength(1);
});

test("a sender proves the mobile with the password that the provider sends, and is known from then on", async () => {
  const mobile = newMobile();
  const registered = await other.answer("transfers.sender.register", person(mobile));
  expect(registered).toEqual({ status: "OTP_SENT", otp_ref: expect.stringMatching(/./), length: 6 });
  expect(await other.query("transfers.sender.resend_otp", { ...person(mobile), otp_ref: registered.otp_ref })).toMatchObject({
    kind: "unavailable",
  });
  other.fixture.orders.clock.advance(RESEND_MILLISECONDS);
  const { otp_ref } = await other.answer("transfers.sender.resend_otp", { ...person(mobile), otp_ref: registered.otp_ref });
  const given = { ...person(mobile), otp_ref };
  expect(await other.query("transfers.sender.verify", { ...given, otp: WRONG_OTP })).toMatchObject({
    kind: "refused",
    code: "otp_invalid",
  });
  expect(await other.answer("transfers.sender.verify", { ...given, otp: OTP })).toEqual({ status: "VERIFIED" });
  expect(await other.answer("transfers.sender.register", person(mobile))).toMatchObject({ status: "VERIFIED", otp_ref: "" });
});

test("a sender whom the provider blocks is blocked", async () => {
  const blocked = person("9000000403");
  const { otp_ref } = await other.answer("transfers.sender.register", blocked);
  expect(await other.answer("transfers.sender.verify", { ...blocked, otp: OTP, otp_ref })).toEqual({ status: "BLOCKED" });
  expect(await other.answer("transfers.sender.register", blocked)).toMatchObject({ status: "BLOCKED" });
});

test("a beneficiary is added with a password, found when it exists, and deleted with another password", async () => {
  const sender = await newSender();
  const added = await other.answer("transfers.beneficiary.add", payee(sender));
  expect(added).toEqual({ status: "OTP_SENT", beneficiary_ref: expect.stringMatching(/^BEN/), otp_ref: expect.any(String), length: 6 });
  expect(await other.query("transfers.beneficiary.add", payee(sender))).toMatchObject({ kind: "refused" });
  const { beneficiary_ref, otp_ref } = added;
  const given = { ...payee(sender), beneficiary_ref, otp_ref };
  expect(await other.query("transfers.beneficiary.verify", { ...given, otp: WRONG_OTP })).toMatchObject({ code: "otp_invalid" });
  expect(await other.answer("transfers.beneficiary.verify", { ...given, otp: OTP })).toEqual({ beneficiary_ref });
  expect(await other.answer("transfers.beneficiary.add", payee(sender))).toMatchObject({ status: "ACTIVE", beneficiary_ref });
  const asked = await other.answer("transfers.beneficiary.delete", { ...given, otp: "", otp_ref: "" });
  expect(asked).toMatchObject({ status: "OTP_SENT", length: 6 });
  const deletion = { ...given, otp: OTP, otp_ref: asked.otp_ref };
  expect(await other.answer("transfers.beneficiary.delete", deletion)).toMatchObject({ status: "DELETED" });
  expect(await other.answer("transfers.beneficiary.add", payee(sender))).toMatchObject({ status: "OTP_SENT" });
});

test("two accounts that look alike in the list are not mistaken for each other", async () => {
  const sender = await newSender();
  for (const account of ["50100123456000", "50100999456000"]) {
    const { beneficiary_ref, otp_ref } = await other.answer("transfers.beneficiary.add", payee(sender, account));
    await other.answer("transfers.beneficiary.verify", { ...payee(sender, account), beneficiary_ref, otp: OTP, otp_ref });
  }
  expect(await other.query("transfers.beneficiary.add", payee(sender))).toMatchObject({
    kind: "refused",
    reason: expect.stringMatching(/told from others/),
  });
});

test("a penny drop gives the name that the bank has, at the cost of the fee", async () => {
  const { beneficiary_ref } = await newParties();
  const request = newOrder({ service: "transfers", operation: "penny_drop", amount: "0", details: { beneficiary_ref } });
  const outcome = await other.send(request);
  expect(outcome).toMatchObject({ kind: "succeeded", cost: "3.0000", result: { verified_name: "RAVI KUMAR" } });
  expect(await other.ask(request)).toMatchObject({ kind: "succeeded", result: { verified_name: expect.any(String) } });
});

test.each([
  ["000", "succeeded", "succeeded"],
  ["102", "declined", "reversed"],
  ["200", "pending", "succeeded"],
  ["202", "pending", "reversed"],
])("a transfer to an account that ends in %s is %s and later %s", async (digits, first, last) => {
  const parties = await newParties(`50100123456${digits}`);
  const { otp_ref, length } = await other.answer("transfers.send_otp", quote(parties));
  expect(length).toBe(6);
  const request = newOrder({ service: "transfers", amount: "1000", details: { otp: OTP, otp_ref } });
  const outcome = await other.send(request);
  expect(outcome.kind).toBe(first);
  if (outcome.kind === "succeeded") expect(outcome).toMatchObject({ operatorRef: expect.stringMatching(/^\d{12}$/), cost: "1010.0000" });
  expect((await settled(other, request)).kind).toBe(last);
});

test("a wrong password, a used quote and an amount other than the quoted one never look like a success", async () => {
  const parties = await newParties();
  const { otp_ref } = await other.answer("transfers.send_otp", quote(parties));
  const send = (otp: string, amount = "1000") => other.send(newOrder({ service: "transfers", amount, details: { otp, otp_ref } }));
  expect(await send(WRONG_OTP)).toMatchObject({ kind: "declined", decline: "final" });
  expect(await send(OTP, "999")).toMatchObject({
    kind: "unknown",
    why: expect.stringMatching(/another amount/),
    providerRef: expect.any(String),
  });
  expect(await send(OTP)).toMatchObject({ kind: "declined", decline: "final", failure: "duplicate" });
  expect(await other.send(newOrder({ service: "transfers" }))).toMatchObject({ kind: "not_sent", fault: "order" });
});

test("a quote beyond the sender's limit is refused, and the same reference gives the same quote", async () => {
  const parties = await newParties();
  const asked = quote(parties);
  expect(await other.query("transfers.send_otp", { ...asked, amount: "9000" })).toMatchObject({ kind: "refused" });
  expect(await other.answer("transfers.send_otp", asked)).toEqual(await other.answer("transfers.send_otp", asked));
});
