import { type ExampleValues, type Route, withExamples } from "../../client-api/route.ts";
import { authenticate } from "./authentication/authenticate.ts";
import { getKey } from "./authentication/get-key.ts";
import { holdKey } from "./authentication/key.ts";
import type { AepsContext } from "./context.ts";
import { listBanks } from "./list-banks.ts";
import { captureBiometric } from "./outlets/capture-biometric.ts";
import { listOutlets } from "./outlets/list-outlets.ts";
import { registerOutlet } from "./outlets/register-outlet.ts";
import { sendOutletOtp } from "./outlets/send-outlet-otp.ts";
import { verifyOutletOtp } from "./outlets/verify-outlet-otp.ts";
import { getTransaction } from "./transactions/get-transaction.ts";
import { aepsTransactions } from "./transactions/transact.ts";

/** A route may use its context only inside its handler. */
export function aepsRoutes(ctx: AepsContext): readonly Route[] {
  const unsealKey = holdKey(ctx);
  return withExamples(
    [
      getKey(unsealKey),
      listBanks(ctx),
      listOutlets(ctx),
      registerOutlet(ctx, unsealKey),
      sendOutletOtp(ctx),
      verifyOutletOtp(ctx),
      captureBiometric(ctx),
      authenticate(ctx, unsealKey),
      ...aepsTransactions(ctx, unsealKey),
      getTransaction(ctx),
    ],
    EXAMPLES,
  );
}

const ENQUIRY: ExampleValues = { amount: "0", balance: "10000.0000", "entries.amount": "500.0000" };
const PAYMENT: ExampleValues = { amount: "500.0000", balance: "10500.0000", entries: [[]] };

const EXAMPLES: Readonly<Record<string, ExampleValues>> = {
  "/aeps/banks": { name: "HDFC Bank" },
  "/aeps/outlets": { "outlet.status": "OTP_PENDING", "outlet.daily_auth_until": null },
  "/aeps/outlets/otp_verify": { "outlet.status": "BIOMETRIC_PENDING", "outlet.daily_auth_until": null },
  "/aeps/balance_enquiry": { ...ENQUIRY, "aeps.type": "balance_enquiry", entries: [[]] },
  "/aeps/mini_statement": { ...ENQUIRY, "aeps.type": "mini_statement", "entries.type": "DR", "entries.narration": "ATM withdrawal" },
  "/aeps/cash_withdrawal": { ...PAYMENT, "aeps.type": "cash_withdrawal" },
  "/aeps/aadhaar_pay": { ...PAYMENT, "aeps.type": "aadhaar_pay" },
  "/aeps/transactions": { ...PAYMENT, "aeps.type": "cash_withdrawal" },
};
