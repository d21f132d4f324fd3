import type { ExampleValues } from "../../client-api/route.ts";

const ALL: ExampleValues = {
  account: ["50100123456789", "XXXXXXXXXX6789"],
  amount: "1000.0000",
  fee: "10.0000",
  total: "1010.0000",
  balance: "8990.0000",
};
const BENEFICIARY: ExampleValues = { name: "Ravi Kumar" };
const SENT: ExampleValues = { account: "XXXXXXXXXX6789", verified_name: "Ravi Kumar" };

export const EXAMPLES: Readonly<Record<string, ExampleValues>> = {
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
