import { type AepsOutcome, encryptAadhaar, type Outcome, type TransferExtra } from "@corprail/sdk";
import { expect } from "vitest";
import { QUICK, type Reseller } from "./reseller.ts";

// The provider's simulator sends this password; the reseller has none of its own.
export const OTP = "111000";
export const WRONG_OTP = "999999";
export const SENDER = "9876543210";
// The simulator's banks: with the daily authentication alone, and with one for every transaction.
export const DAILY_BANK = "607152";
export const STRICT_BANK = "607264";
export const CAPTURE = { pid: '<PidData><Resp errCode="0"/></PidData>', latitude: "12.9716", longitude: "77.5946" } as const;

let count = 0;
export const newReference = (name: string) => `${name}-${++count}`;

/** Adds a beneficiary of the sender with the provider's password. */
export async function newBeneficiary({ here }: Reseller, account: string, ifsc: string): Promise<string> {
  const { beneficiaries } = here.api.transfers;
  const added = await beneficiaries.add({ requestId: newReference("payee"), sender: SENDER, name: "Ravi", account, ifsc });
  const { beneficiaryId } = added.beneficiary;
  const active = await beneficiaries.verifyOtp({ beneficiaryId, otpRef: added.otpRef, otp: OTP });
  expect(active).toMatchObject({ status: "ACTIVE" });
  return beneficiaryId;
}

export type Sent = { readonly requestId: string; readonly fee: string; readonly result: Outcome<TransferExtra> };

/** Quotes and sends 500 rupees. */
export async function sendMoney({ here }: Reseller, beneficiaryId: string, otp = OTP): Promise<Sent> {
  const { transfers } = here.api;
  const wanted = { sender: SENDER, beneficiaryId, amount: "500.00", mode: "IMPS" } as const;
  const { transferRef, fee } = await transfers.quote({ requestId: newReference("quote"), ...wanted });
  const requestId = newReference("transfer");
  return { requestId, fee, result: await transfers.createAndSettle({ requestId, transferRef, otp }, QUICK) };
}

/** An Aadhaar number, encrypted for the reseller. */
export async function encrypted({ here }: Reseller): Promise<{ readonly aadhaarEnc: string }> {
  return { aadhaarEnc: encryptAadhaar((await here.api.aeps.key()).publicKeyPem, "999941057058") };
}

/** What an AEPS transaction at an outlet consists of, except for its amount. */
export async function visit(both: Reseller, outletId: string, customerMobile = "9876543000") {
  const requestId = newReference("aeps");
  return { requestId, outletId, customerMobile, bankIin: DAILY_BANK, consent: "Y", ...(await encrypted(both)), ...CAPTURE } as const;
}

/** Pays out 500 rupees in cash. */
export async function withdraw(both: Reseller, outletId: string, customerMobile?: string): Promise<AepsOutcome> {
  const { aeps } = both.here.api;
  return await aeps.cashWithdrawalAndSettle({ ...(await visit(both, outletId, customerMobile)), amount: "500.00" }, QUICK);
}
