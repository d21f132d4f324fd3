import { encryptAadhaar } from "@corprail/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { balancesOf, expectBalancedBooks, type Reseller, startReseller } from "./harness/reseller.ts";

let both: Reseller;
beforeAll(async () => {
  both = await startReseller();
});
afterAll(() => both?.close());

const QUICK = { firstCheckAfterMs: 50, checkEveryMs: 100, giveUpAfterMs: 60_000 } as const;
// The provider's simulator sends this password; the reseller has none of its own.
const OTP = "111000";
const orderIdOf = (result: object) => ("orderId" in result ? String(result.orderId) : "");

async function spent(before: { readonly here: number; readonly there: number }) {
  const after = await balancesOf(both);
  return { here: Number((before.here - after.here).toFixed(4)), there: Number((before.there - after.there).toFixed(4)) };
}

test("money is sent through both: sender, beneficiary, penny drop, quote and transfer, each with the provider's password", async () => {
  const { transfers } = both.here.api;
  const theirs = both.there.api.transfers;
  const mobile = "9876543210";
  const created = await transfers.senders.create({ requestId: "S-1", mobile, firstName: "Asha", pincode: "560001", consent: "Y" });
  expect(created.sender).toMatchObject({ status: "OTP_PENDING" });
  const { otpRef } = created;
  await expect(transfers.senders.verify({ mobile, otpRef, otp: "999999" })).rejects.toMatchObject({ error: "otp_invalid" });
  expect(await theirs.senders.get({ mobile })).toMatchObject({ status: "OTP_PENDING" });
  expect(await transfers.senders.verify({ mobile, otpRef, otp: OTP })).toMatchObject({ mobile, status: "VERIFIED" });
  expect(await theirs.senders.get({ mobile })).toMatchObject({ status: "VERIFIED" });

  const banks = await transfers.banks().toArray();
  expect(banks).toEqual(await theirs.banks().toArray());
  const ifsc = `${banks.find((one) => one.status === "up")?.ifscPrefix}000001`;
  const payee = { requestId: "N-1", sender: mobile, name: "Ravi", account: "50100000000000", ifsc };
  const added = await transfers.beneficiaries.add(payee);
  const { beneficiaryId } = added.beneficiary;
  expect(await transfers.beneficiaries.verifyOtp({ beneficiaryId, otpRef: added.otpRef, otp: OTP })).toMatchObject({ status: "ACTIVE" });
  expect(await theirs.beneficiaries.list({ sender: mobile }).toArray()).toMatchObject([{ status: "ACTIVE", ifsc }]);

  let before = await balancesOf(both);
  const checked = await transfers.beneficiaries.verify({ requestId: "V-1", beneficiaryId });
  expect(checked).toMatchObject({ outcome: "succeeded", accountStatus: "ACTIVE", verifiedName: expect.stringMatching(/./) });
  const fee = "fee" in checked ? Number(checked.fee) : Number.NaN;
  expect(await spent(before)).toEqual({ here: fee, there: fee });

  before = await balancesOf(both);
  const quote = await transfers.quote({ requestId: "Q-1", sender: mobile, beneficiaryId, amount: "500.00", mode: "IMPS" });
  const sent = await transfers.createAndSettle({ requestId: "T-1", transferRef: quote.transferRef, otp: OTP }, QUICK);
  expect(sent).toMatchObject({ outcome: "succeeded", fee: quote.fee, transfer: { beneficiaryId, mode: "IMPS", sender: mobile } });
  const there = await theirs.get({ requestId: orderIdOf(sent) });
  expect(there).toMatchObject({ outcome: "succeeded", amount: "500.0000" });
  expect(await transfers.get({ requestId: "T-1" })).toMatchObject({ outcome: "succeeded", operatorRef: there.operatorRef });
  expect(await spent(before)).toEqual({ here: 500 + Number(quote.fee), there: 500 + Number(there.fee) });
  await expectBalancedBooks(both);
});

test("a transfer with a wrong password moves no money at either", async () => {
  const { transfers } = both.here.api;
  const [one] = await transfers.beneficiaries.list({ sender: "9876543210" }).toArray();
  const before = await balancesOf(both);
  const wanted = { sender: "9876543210", beneficiaryId: one?.beneficiaryId ?? "", amount: "300.00", mode: "IMPS" } as const;
  const { transferRef } = await transfers.quote({ requestId: "Q-2", ...wanted });
  const sent = await transfers.createAndSettle({ requestId: "T-2", transferRef, otp: "999999" }, QUICK);
  expect(sent).toMatchObject({ outcome: "failed" });
  expect(await spent(before)).toEqual({ here: 0, there: 0 });
  await expectBalancedBooks(both);
});

// The simulator's banks: with the daily authentication alone, and with one for every transaction.
const [DAILY_BANK, STRICT_BANK] = ["607152", "607264"];

test("an outlet of the reseller's client becomes active at both and pays out cash, also where the bank wants an authentication", async () => {
  const { aeps } = both.here.api;
  const { publicKeyPem } = await aeps.key();
  expect(publicKeyPem).not.toBe((await both.there.api.aeps.key()).publicKeyPem);
  const aadhaar = () => ({ aadhaarEnc: encryptAadhaar(publicKeyPem, "999941057058") });
  const capture = { pid: '<PidData><Resp errCode="0"/></PidData>', latitude: "12.9716", longitude: "77.5946" } as const;
  const { pid: _, ...place } = capture;
  const { outletId } = await aeps.outlets.create({
    ...{ requestId: "O-1", mobile: "9876543210", email: "asha@example.in", firstName: "Asha", lastName: "Rao" },
    ...{ shopName: "Asha Stores", shopType: "5411", pan: "ABCDE1234F", bankAccount: "50100000000001", ifsc: "HDFC0000001" },
    address: { line: "1 MG Road", city: "Bengaluru", stateCode: "KA", pincode: "560001" },
    device: { model: "M1", serial: "S1" },
    ...aadhaar(),
    ...place,
  });
  const { otpRef } = await aeps.outlets.sendOtp({ outletId });
  await expect(aeps.outlets.verifyOtp({ outletId, otpRef, otp: "999999" })).rejects.toMatchObject({ error: "otp_invalid" });
  await aeps.outlets.verifyOtp({ outletId, otpRef, otp: OTP });
  expect(await aeps.outlets.biometric({ outletId, ...capture })).toMatchObject({ outletId, status: "ACTIVE" });
  await aeps.authenticate({ outletId, type: "DAILY", ...aadhaar(), ...capture });
  const [outletThere] = await both.there.api.aeps.outlets.list().toArray();
  expect(outletThere).toMatchObject({ status: "ACTIVE", dailyAuthUntil: expect.any(Number) });

  const customer = { outletId, customerMobile: "9876543000", consent: "Y", ...capture } as const;
  const enquired = await aeps.balanceEnquiry({ requestId: "E-1", bankIin: DAILY_BANK, ...aadhaar(), ...customer });
  expect(enquired).toMatchObject({ outcome: "succeeded", aeps: { type: "balance_enquiry", customerBalance: expect.any(String) } });

  const before = await balancesOf(both);
  const withdrawal = { bankIin: DAILY_BANK, amount: "500.00", ...customer };
  const paid = await aeps.cashWithdrawalAndSettle({ requestId: "W-1", ...aadhaar(), ...withdrawal }, QUICK);
  expect(paid).toMatchObject({ outcome: "succeeded", aeps: { type: "cash_withdrawal", rrn: expect.stringMatching(/^[0-9]{12}$/) } });
  const there = await both.there.api.aeps.getTransaction({ requestId: orderIdOf(paid) });
  expect(there).toMatchObject({ outcome: "succeeded", amount: "500.0000" });
  expect(await spent(before)).toEqual({ here: -500, there: -500 });

  const strict = { ...withdrawal, bankIin: STRICT_BANK };
  await expect(aeps.cashWithdrawal({ requestId: "W-2", ...aadhaar(), ...strict })).rejects.toMatchObject({ error: "txn_auth_required" });
  const { authRef } = await aeps.authenticate({ outletId, type: "TXN", bankIin: STRICT_BANK, ...aadhaar(), ...capture });
  const second = await aeps.cashWithdrawalAndSettle({ requestId: "W-3", ...aadhaar(), ...strict, authRef }, QUICK);
  expect(second).toMatchObject({ outcome: "succeeded" });
  expect(await spent(before)).toEqual({ here: -1000, there: -1000 });
  await expectBalancedBooks(both);
});
