import { constants, generateKeyPairSync, privateDecrypt } from "node:crypto";
import { expect } from "vitest";
import type { JsonObject } from "../../../../platform/core/strict-json.ts";
import { describedProvider, type Heard, type Reply } from "../../description/testing/provider.ts";
import { readShippedFile } from "./shipped-suite.ts";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
export const OWNER = "9123456789";
export const SECRETS = {
  developer_key: "becbbce45f79c6f5109f848acd540567",
  access_key: "test-access-key-123",
  initiator_id: "9962981729",
  user_code: "20810200",
  csp_id: "9002336768",
  source_ip: "203.0.113.77",
  // Eko prints its key as one line without a frame.
  aadhaar_key: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
};

/** The operator enters the agents that Eko has onboarded. */
function withAgent(settings: JsonObject): JsonObject {
  const agents = { by: "{mobile}", values: { [OWNER]: { user_code: "20110341", bank_code: "HDFC" } } };
  return { ...settings, codes: { ...(settings["codes"] as JsonObject), agents } };
}

export const PID = '<?xml version="1.0"?><PidData><Data type="X">cGlkLWJsb2Nr</Data></PidData>';
const PLACE = { latitude: "28.6139", longitude: "77.2090" };
const PARTIES = {
  account: "38759149196",
  ifsc: "SBIN0007515",
  beneficiary_ref: "117015428",
  beneficiary_name: "Yashwant Basnett",
  beneficiary_mobile: "9002331157",
  sender_mobile: "9155927131",
  sender_name: "Rahul Kumar",
  sender_pincode: "110001",
};
export const TRANSFER = {
  service: "transfers",
  operator: "SBIN",
  target: "38759149196",
  amount: "100",
  details: { ...PARTIES, mode: "IMPS", otp: "4702", otp_ref: "667007109" },
};
export const BILL = {
  service: "bills",
  operator: "53-8",
  target: "151627591",
  amount: "50",
  details: {
    fetch_ref: "FETCH1",
    params: { utility_acc_no: "151627591" },
    customer_mobile: "9903457748",
    fetch_provider_ref: "",
    bill_number: "",
    customer_name: "Amit Kumar",
    bill_date: "",
    due_date: "20260728",
    payment_mode: "CASH",
    payer_name: "Asha Rao",
  },
};
export const AADHAAR = "234567890124";
const aeps = (operation: string, amount: string) => ({
  service: "aeps",
  operation,
  operator: "607152",
  target: "9000000000",
  amount,
  details: {
    outlet_id: "OUT1",
    agent_code: "20110341",
    outlet_mobile: OWNER,
    bank_iin: "607152",
    aadhaar: AADHAAR,
    pid: PID,
    consent: "Y",
    ...PLACE,
  },
});
export const WITHDRAWAL = aeps("cash_withdrawal", "1000");
export const SENDER = { mobile: "9155927131", first_name: "Rahul", last_name: "Kumar", pincode: "110001", latitude: "", longitude: "" };
// The twin's list of beneficiaries has the account and the IFSC that samples have.
export const BENEFICIARY = { sender: "9155927131", name: "Asha Rao", account: "123456789012", ifsc: "HDFC0000001", mobile: "9002331157" };
export const OUTLET = { agent_code: "20110341", mobile: OWNER, ...PLACE };

export const EKO = {
  name: "eko",
  secrets: SECRETS,
  completed: withAgent,
  transactions: {
    "transfers.send": TRANSFER,
    "bills.pay": BILL,
    "aeps.cash_withdrawal": WITHDRAWAL,
    "aeps.balance_enquiry": aeps("balance_enquiry", "0"),
    "aeps.mini_statement": aeps("mini_statement", "0"),
  },
  queries: {
    balance: { input: {}, value: { balance: "2208340023.75" } },
    "transfers.banks": {
      input: {},
      value: { banks: expect.arrayContaining([{ bank: "SBIN", name: "State Bank of India", status: "up" }]) },
    },
    "transfers.sender.register": { input: SENDER, value: { status: "OTP_SENT", otp_ref: "2886978474", length: 6 } },
    "transfers.sender.verify": { input: { ...SENDER, otp: "134021", otp_ref: "2886978474" }, value: { status: "VERIFIED" } },
    // The twin says that the beneficiary is known already, so its id comes from the list, by account and IFSC.
    "transfers.beneficiary.add": { input: BENEFICIARY, value: { status: "ACTIVE", beneficiary_ref: "117015428" } },
    "transfers.send_otp": {
      input: { ...BENEFICIARY, reference: "R1", beneficiary_ref: "117015428", amount: "500.0000", mode: "IMPS" },
      value: { otp_ref: "666902416", length: 4 },
    },
    "bills.billers": {
      input: {},
      value: {
        billers: [
          { biller_id: "159-1", name: "ACT Fibernet", category: "Broadband Postpaid", flow: "fetch", exactness: "exact" },
          { biller_id: "541-11", category: "Water", params: [{ name: "utility_acc_no" }] },
        ],
      },
    },
    "bills.fetch": {
      input: {
        reference: "R1",
        biller_id: "53-8",
        params: { utility_acc_no: "3287820071" },
        customer_mobile: "9903457748",
        created_at: 0,
        provider_ref: "",
      },
      value: { status: "found", bills: [{ amount: "2870", customer_name: "Amit Kumar", due_date: "20260728" }] },
    },
    "aeps.banks": {
      input: {},
      value: { banks: expect.arrayContaining([{ iin: "607152", name: "HDFC Bank", live: true, per_transaction: false }]) },
    },
    "aeps.outlet.register": {
      input: {
        outlet_id: "OUT1",
        email: "ramesh@example.com",
        first_name: "Ramesh",
        last_name: "Kumar",
        shop_name: "Ramesh Mobile Store",
        shop_type: "5411",
        pan: "ABCDE1234F",
        aadhaar: AADHAAR,
        address: { line: "1 MG Road", city: "Gurgaon", state_code: "HR", pincode: "122002" },
        bank_account: "38759149196",
        ifsc: "SBIN0007515",
        device_model: "Morpho 1300E3",
        device_serial: "SN1234567890",
        mobile: OWNER,
        ...PLACE,
      },
      value: { agent_code: "20110341" },
    },
    "aeps.authenticate": { input: { ...OUTLET, type: "DAILY", aadhaar: AADHAAR, pid: PID, bank_iin: "" }, value: {} },
  },
} as const;

/** The shipped description before a provider that answers by a function. */
export async function connected(answer: (heard: Heard) => Reply) {
  const { base_url: _, ...rest } = withAgent(readShippedFile("eko"));
  return await describedProvider(rest, answer, () => 1_700_000_000_000, SECRETS);
}

/** Undoes PKCS #1 v1.5: 00 02, random bytes without zero, 00, and the text. */
export function decrypted(ciphertext: unknown): string {
  const block = privateDecrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, Buffer.from(String(ciphertext), "base64"));
  expect([...block.subarray(0, 2)]).toEqual([0, 2]);
  return block.subarray(block.indexOf(0, 2) + 1).toString();
}
