import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { change } from "./harness/operator.ts";
import {
  balancesOf,
  calledBack,
  expectBalancedBooks,
  orderIdOf,
  type Reseller,
  spentSince,
  startReseller,
} from "./harness/providers/reseller.ts";
import { askForDecisions, complain, decided, decideThere } from "./harness/providers/resold-complaints.ts";
import {
  CAPTURE,
  encrypted,
  newBeneficiary,
  newReference,
  OTP,
  SENDER,
  STRICT_BANK,
  sendMoney,
  visit,
  WRONG_OTP,
  withdraw,
} from "./harness/providers/resold-services.ts";

// Transfers and AEPS, whose passwords and registrations are the provider's, and complaints, which it decides.

let both: Reseller;
let beneficiaryId = "";
let outletId = "";
beforeAll(async () => {
  both = await startReseller();
  const [{ account: theirs }, { account: ours }] = [both.there, both.here];
  // Fees and commissions differ, so that neither wallet can be right by the other's figures.
  await change(both.reseller.service, "/pricing", { account_id: ours.accountId, service: "transfers", fee: { flat: "2" } });
  await change(both.reseller.service, "/pricing", { account_id: ours.accountId, service: "aeps", commission: { percent: "0.30" } });
  await change(both.provider.service, "/pricing", { account_id: theirs.accountId, service: "aeps", commission: { percent: "0.50" } });
});
afterEach(() => expectBalancedBooks(both));
afterAll(() => both?.close());

// 500 rupees with the provider's fee of 1 %, at least 10.00, and with the reseller's additional 2.00.
const SENT = { here: 512, there: 510 };
// 500 rupees with the commissions.
const CREDITED = { here: -501.5, there: -502.5 };
const NOTHING = { here: 0, there: 0 };
const IFSC = "HDFC0000001";

test("a sender and a beneficiary are registered at both with the provider's passwords, and a penny drop costs both its fee", async () => {
  const { transfers } = both.here.api;
  const theirs = both.there.api.transfers;
  const person = { mobile: SENDER, firstName: "Asha", pincode: "560001", consent: "Y" } as const;
  const { sender, otpRef } = await transfers.senders.create({ requestId: newReference("sender"), ...person });
  expect(sender).toMatchObject({ status: "OTP_PENDING" });
  const given = { mobile: SENDER, otpRef };
  await expect(transfers.senders.verify({ ...given, otp: WRONG_OTP })).rejects.toMatchObject({ error: "otp_invalid" });
  expect(await theirs.senders.get({ mobile: SENDER })).toMatchObject({ status: "OTP_PENDING" });
  expect(await transfers.senders.verify({ ...given, otp: OTP })).toMatchObject({ mobile: SENDER, status: "VERIFIED" });
  expect(await theirs.senders.get({ mobile: SENDER })).toMatchObject({ status: "VERIFIED" });
  expect(await transfers.banks().toArray()).toEqual(await theirs.banks().toArray());
  beneficiaryId = await newBeneficiary(both, "50100000000000", IFSC);
  expect(await theirs.beneficiaries.list({ sender: SENDER }).toArray()).toMatchObject([{ status: "ACTIVE", ifsc: IFSC }]);
  const before = await balancesOf(both);
  const checked = await transfers.beneficiaries.verify({ requestId: newReference("check"), beneficiaryId });
  expect(checked).toMatchObject({ outcome: "succeeded", accountStatus: "ACTIVE", verifiedName: expect.stringMatching(/./) });
  expect(await spentSince(both, before)).toEqual({ here: 3, there: 3 });
});

test("money is sent with the password of the provider's quote, and each wallet pays its own fee", async () => {
  const before = await balancesOf(both);
  const { result, requestId, fee } = await sendMoney(both, beneficiaryId);
  expect(result).toMatchObject({ outcome: "succeeded", fee, transfer: { beneficiaryId, mode: "IMPS", sender: SENDER } });
  const there = await both.there.api.transfers.get({ requestId: orderIdOf(result) });
  expect(there).toMatchObject({ outcome: "succeeded", amount: "500.0000" });
  expect(await both.here.api.transfers.get({ requestId })).toMatchObject({ outcome: "succeeded", operatorRef: there.operatorRef });
  expect(await spentSince(both, before)).toEqual(SENT);
});

test("a transfer with a wrong password moves no money at either", async () => {
  const before = await balancesOf(both);
  expect((await sendMoney(both, beneficiaryId, WRONG_OTP)).result).toMatchObject({ outcome: "failed" });
  expect(await spentSince(both, before)).toEqual(NOTHING);
});

test("a pending transfer succeeds by the provider's callback alone", async () => {
  const slow = await newBeneficiary(both, "50100000000200", IFSC);
  const before = await balancesOf(both);
  both.proxy.cutOff(/^GET .*\/transfers\?/);
  const { result, requestId } = await sendMoney(both, slow);
  both.proxy.cutOff(null);
  expect(result).toMatchObject({ outcome: "succeeded" });
  await calledBack(both, requestId, "SUCCESS");
  expect(await spentSince(both, before)).toEqual(SENT);
});

test("a transfer that the provider refunds after its success is refunded here with its fee, and its client gets a callback", async () => {
  const { transfers } = both.here.api;
  const [before, limit] = [await balancesOf(both), (await transfers.senders.get({ mobile: SENDER })).availableMonth];
  const { result, requestId } = await sendMoney(both, beneficiaryId);
  const there = await both.there.api.transfers.get({ requestId: orderIdOf(result) });
  await change(both.provider.service, `/orders/${there.orderId}/refund`, { reason: "the bank sent it back" });
  await calledBack(both, requestId, "FAILED");
  expect(await transfers.get({ requestId })).toMatchObject({ outcome: "failed", transfer: { refundStatus: "refunded" } });
  expect(await transfers.senders.get({ mobile: SENDER })).toMatchObject({ availableMonth: limit });
  expect(await spentSince(both, before)).toEqual(NOTHING);
});

test("a beneficiary is deleted at both with the provider's password", async () => {
  const [{ beneficiaries }, theirs] = [both.here.api.transfers, both.there.api.transfers.beneficiaries];
  const gone = await newBeneficiary(both, "50100000000003", IFSC);
  const { otpRef } = await beneficiaries.requestDelete({ beneficiaryId: gone });
  const given = { beneficiaryId: gone, otpRef };
  await expect(beneficiaries.delete({ ...given, otp: WRONG_OTP })).rejects.toMatchObject({ error: "otp_invalid" });
  const statuses = async () => (await theirs.list({ sender: SENDER }).toArray()).filter((one) => one.accountMasked.endsWith("0003"));
  expect(await statuses()).toMatchObject([{ status: "ACTIVE" }]);
  expect(await beneficiaries.delete({ ...given, otp: OTP })).toMatchObject({ status: "DELETED" });
  expect(await statuses()).toMatchObject([{ status: "DELETED" }]);
});

test("an outlet is registered at both with the provider's password, a fingerprint and a daily authentication", async () => {
  const { aeps } = both.here.api;
  expect((await aeps.key()).publicKeyPem).not.toBe((await both.there.api.aeps.key()).publicKeyPem);
  const { pid: _, ...place } = CAPTURE;
  const outlet = await aeps.outlets.create({
    ...{ requestId: newReference("outlet"), mobile: "9876543210", email: "asha@example.in", firstName: "Asha", lastName: "Rao" },
    ...{ shopName: "Asha Stores", shopType: "5411", pan: "ABCDE1234F", bankAccount: "50100000000001", ifsc: IFSC },
    ...{ address: { line: "1 MG Road", city: "Bengaluru", stateCode: "KA", pincode: "560001" }, device: { model: "M1", serial: "S1" } },
    ...(await encrypted(both)),
    ...place,
  });
  ({ outletId } = outlet);
  const { otpRef } = await aeps.outlets.sendOtp({ outletId });
  await expect(aeps.outlets.verifyOtp({ outletId, otpRef, otp: WRONG_OTP })).rejects.toMatchObject({ error: "otp_invalid" });
  expect(await aeps.outlets.verifyOtp({ outletId, otpRef, otp: OTP })).toMatchObject({ status: "BIOMETRIC_PENDING" });
  expect(await aeps.outlets.biometric({ outletId, ...CAPTURE })).toMatchObject({ outletId, status: "ACTIVE" });
  const amount = "500.00";
  await expect(aeps.cashWithdrawal({ ...(await visit(both, outletId)), amount })).rejects.toMatchObject({ error: "daily_auth_required" });
  await aeps.authenticate({ outletId, type: "DAILY", ...(await encrypted(both)), ...CAPTURE });
  expect(await both.there.api.aeps.outlets.list().toArray()).toMatchObject([{ status: "ACTIVE", dailyAuthUntil: expect.any(Number) }]);
});

test("enquiries give what the bank says and move no money", async () => {
  const { aeps } = both.here.api;
  const before = await balancesOf(both);
  const balance = await aeps.balanceEnquiry(await visit(both, outletId));
  expect(balance).toMatchObject({ outcome: "succeeded", aeps: { type: "balance_enquiry", customerBalance: expect.any(String) } });
  const statement = await aeps.miniStatement(await visit(both, outletId));
  const there = await both.there.api.aeps.getTransaction({ requestId: orderIdOf(statement) });
  expect(there.aeps.entries.length).toBeGreaterThan(0);
  expect(statement).toMatchObject({ outcome: "succeeded", aeps: { type: "mini_statement", entries: there.aeps.entries } });
  expect(await spentSince(both, before)).toEqual(NOTHING);
});

test.each([
  ["at once", "9876543000"],
  ["later", "9876543200"],
])("a withdrawal that the provider ends %s credits both wallets with their own commissions", async (_when, customer) => {
  const before = await balancesOf(both);
  const paid = await withdraw(both, outletId, customer);
  expect(paid).toMatchObject({ outcome: "succeeded", aeps: { type: "cash_withdrawal", rrn: expect.stringMatching(/^[0-9]{12}$/) } });
  const there = await both.there.api.aeps.getTransaction({ requestId: orderIdOf(paid) });
  expect(there).toMatchObject({ outcome: "succeeded", amount: "500.0000" });
  expect(await spentSince(both, before)).toEqual(CREDITED);
});

test("a bank that wants an authentication for each withdrawal gets the provider's", async () => {
  const { aeps } = both.here.api;
  const before = await balancesOf(both);
  const strict = { amount: "500.00", bankIin: STRICT_BANK };
  const bare = { ...(await visit(both, outletId)), ...strict };
  await expect(aeps.cashWithdrawal(bare)).rejects.toMatchObject({ error: "txn_auth_required" });
  const { authRef } = await aeps.authenticate({ outletId, type: "TXN", bankIin: STRICT_BANK, ...(await encrypted(both)), ...CAPTURE });
  expect(await aeps.cashWithdrawal({ ...bare, ...(await encrypted(both)), authRef })).toMatchObject({ outcome: "succeeded" });
  expect(await spentSince(both, before)).toEqual(CREDITED);
});

const WORDS = "Desk 7 has seen the switch's log.";
const DESCRIPTION = "The customer says it is not there.";

test("complaints are raised at the provider, and its decisions are applied here with money and callbacks", async () => {
  const before = await balancesOf(both);
  const recharge = { account: "9876543000", operator: "AT", amount: "10.00", urid: newReference("recharge") };
  await both.here.api.recharge.create(recharge);
  const { requestId } = await sendMoney(both, beneficiaryId);
  const paidOut = await withdraw(both, outletId);
  const aepsId = "requestId" in paidOut ? String(paidOut.requestId) : "";
  const [standing, sent, paid] = await Promise.all([
    complain(both, { urid: recharge.urid, reason: "not_credited", description: DESCRIPTION }),
    complain(both, { requestId, service: "transfers", reason: "beneficiary_not_credited", description: DESCRIPTION }),
    complain(both, { requestId: aepsId, service: "aeps", reason: "debited_no_cash", description: DESCRIPTION }),
  ]);
  await decideThere(both, standing, "stands", WORDS);
  await decideThere(both, sent, "refund", WORDS);
  await decideThere(both, paid, "refund", WORDS);
  await askForDecisions(both);
  const ours = { stage: "decided", reason: expect.not.stringContaining("Desk 7") };
  const refunded = { ...ours, status: "REFUNDED", transactionStatus: "FAILED" };
  expect(await decided(both, standing)).toMatchObject({
    ...ours,
    status: "RESOLVED",
    refundAmount: "0.0000",
    transactionStatus: "SUCCESS",
  });
  expect(await decided(both, sent)).toMatchObject({ ...refunded, refundAmount: "512.0000" });
  // What the wallet got is taken back, so nothing is returned to it.
  expect(await decided(both, paid)).toMatchObject({ ...refunded, refundAmount: "0.0000" });
  await calledBack(both, recharge.urid, "SUCCESS");
  expect(await calledBack(both, recharge.urid, "RESOLVED")).toMatchObject({ event: "complaint", complaint_ref: standing.ref });
  for (const [reference, { ref }] of [
    [requestId, sent],
    [aepsId, paid],
  ] as const) {
    await calledBack(both, reference, "FAILED");
    expect(await calledBack(both, reference, "REFUNDED")).toMatchObject({ event: "complaint", complaint_ref: ref });
  }
  expect(
    both
      .callbacks()
      .filter((one) => one["urid"] === recharge.urid)
      .map((one) => one["status"]),
  ).not.toContain("FAILED");
  expect(JSON.stringify(both.callbacks())).not.toContain("Desk 7");
  expect(await spentSince(both, before)).toEqual({ here: 10, there: 10 });
});
