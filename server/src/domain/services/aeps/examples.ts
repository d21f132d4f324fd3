import type { ExampleValues } from "../../client-api/route.ts";

const ENQUIRY: ExampleValues = { amount: "0", balance: "10000.0000", "entries.amount": "500.0000" };
const PAYMENT: ExampleValues = { amount: "500.0000", balance: "10500.0000", entries: [[]] };

export const EXAMPLES: Readonly<Record<string, ExampleValues>> = {
  "/aeps/banks": { name: "HDFC Bank" },
  "/aeps/outlets": { "outlet.status": "OTP_PENDING", "outlet.daily_auth_until": null },
  "/aeps/outlets/otp_verify": { "outlet.status": "BIOMETRIC_PENDING", "outlet.daily_auth_until": null },
  "/aeps/balance_enquiry": { ...ENQUIRY, "aeps.type": "balance_enquiry", entries: [[]] },
  "/aeps/mini_statement": { ...ENQUIRY, "aeps.type": "mini_statement", "entries.type": "DR", "entries.narration": "ATM withdrawal" },
  "/aeps/cash_withdrawal": { ...PAYMENT, "aeps.type": "cash_withdrawal" },
  "/aeps/aadhaar_pay": { ...PAYMENT, "aeps.type": "aadhaar_pay" },
  "/aeps/transactions": { ...PAYMENT, "aeps.type": "cash_withdrawal" },
};
