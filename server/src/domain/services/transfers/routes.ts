import { type ExampleValues, type Route, withExamples } from "../../client-api/route.ts";
import { activateBeneficiary } from "./beneficiaries/activate-beneficiary.ts";
import { addBeneficiary } from "./beneficiaries/add-beneficiary.ts";
import { deleteBeneficiary } from "./beneficiaries/delete-beneficiary.ts";
import { listBeneficiaries } from "./beneficiaries/list-beneficiaries.ts";
import { verifyBeneficiary } from "./beneficiaries/verify-beneficiary.ts";
import type { TransfersContext } from "./context.ts";
import { listBanks } from "./list-banks.ts";
import { getSender } from "./senders/get-sender.ts";
import { registerSender } from "./senders/register-sender.ts";
import { resendSenderOtp } from "./senders/resend-sender-otp.ts";
import { verifySender } from "./senders/verify-sender.ts";
import { createQuote } from "./transactions/create-quote.ts";
import { createTransfer } from "./transactions/create-transfer.ts";
import { getTransfer } from "./transactions/get-transfer.ts";

/** A route may use its context only inside its handler. */
export function transfersRoutes(ctx: TransfersContext): readonly Route[] {
  return withExamples(
    [
      listBanks(ctx),
      registerSender(ctx),
      getSender(ctx),
      verifySender(ctx),
      resendSenderOtp(ctx),
      addBeneficiary(ctx),
      listBeneficiaries(ctx),
      activateBeneficiary(ctx),
      verifyBeneficiary(ctx),
      deleteBeneficiary(ctx),
      createQuote(ctx),
      createTransfer(ctx),
      getTransfer(ctx),
    ],
    EXAMPLES,
  );
}

const ALL: ExampleValues = {
  account: ["50100123456789", "XXXXXXXXXX6789"],
  amount: "1000.0000",
  fee: "10.0000",
  total: "1010.0000",
  balance: "8990.0000",
};
const BENEFICIARY: ExampleValues = { name: "Ravi Kumar" };
const SENT: ExampleValues = { account: "XXXXXXXXXX6789", verified_name: "Ravi Kumar" };

const EXAMPLES: Readonly<Record<string, ExampleValues>> = {
  "*": ALL,
  "/transfers": SENT,
  "/transfers/banks": { name: "HDFC Bank" },
  "/transfers/senders": { last_name: "Verma", used_month: "0.0000", available_month: "25000.0000" },
  "/transfers/beneficiaries": {
    ...BENEFICIARY,
    "beneficiary.status": "OTP_PENDING",
    "beneficiary.verified": false,
    "beneficiary.verified_name": "",
  },
  "/transfers/beneficiaries/verify_otp": BENEFICIARY,
  "/transfers/beneficiaries/delete": { ...BENEFICIARY, otp_ref: "OTP2M9X4K7Q3T8C", otp: "111000", "beneficiary.status": "DELETED" },
  "/transfers/beneficiaries/verify": { ...SENT, amount: "0", fee: "3.0000", balance: "9997.0000" },
};
