import type { ShippedSubject } from "./shipped-suite.ts";

export const PID = '<PidData><Resp errCode="0"/><Data type="X">cGlkLWRhdGEtb2YtYS10ZXN0</Data></PidData>';
export const AADHAAR = "999941057058";
/** What PaySprint wants back unchanged with the payment. */
export const BILL_FETCH = '{"billAmount":"7919.0","acceptPayment":true,"acceptPartPay":false,"userName":"DUMMY NAME"}';

const PLACE = { latitude: "19.0760", longitude: "72.8777" };
const OUTLET = { agent_code: "OUT01JABCDEFGH", mobile: "9876500001" };
const SENDER = { mobile: "9876543000", first_name: "Asha", last_name: "Rao", pincode: "400001", latitude: "", longitude: "" };
const BENEFICIARY = { sender: "9876543000", name: "Ravi Kumar", account: "123456789012", ifsc: "HDFC0000001", mobile: "" };
export const OWNER = { ...OUTLET, ...PLACE, aadhaar: AADHAAR, pid: PID };

const AEPS_DETAILS = {
  outlet_id: "OUT01JABCDEFGH",
  agent_code: OUTLET.agent_code,
  outlet_mobile: OUTLET.mobile,
  bank_iin: "607094",
  aadhaar: AADHAAR,
  pid: PID,
  ...PLACE,
  consent: "Y",
};
const aeps = (operation: string, more: object = {}) => ({
  service: "aeps",
  operation,
  operator: "607094",
  details: { ...AEPS_DETAILS, ...more },
});

export const PAYSPRINT: ShippedSubject = {
  name: "paysprint",
  secrets: {
    partner_id: "PS009988",
    jwt_key: "UFMwMDk5ODhqd3Qta2V5LW9mLWEtdGVzdA==",
    authorised_key: "YXV0aG9yaXNlZC1rZXktb2YtYS10ZXN0",
    aes_key: "a1b2c3d4e5f60718",
    aes_iv: "8f7e6d5c4b3a2910",
    latitude: "28.61393",
    longitude: "77.20902",
    address: "12 Sample Road, New Delhi 110001",
    date_of_birth: "1990-02-03",
    gst_state: "GST-07",
    ip_address: "203.0.113.77",
    onboarding_return_url: "https://partner.example/onboarded",
  },
  transactions: {
    "recharge.pay": { operator: "AT", amount: "199" },
    "bills.pay": {
      service: "bills",
      operator: "11",
      target: "102277100",
      amount: "7919",
      details: {
        fetch_ref: "01JFETCH",
        params: { canumber: "102277100", ad1: "9876543000" },
        customer_mobile: "9876543000",
        fetch_provider_ref: BILL_FETCH,
        bill_number: "",
        customer_name: "DUMMY NAME",
        bill_date: "19 Aug 2023",
        due_date: "2023-08-29",
        payment_mode: "CASH",
        payer_name: "Asha Rao",
      },
    },
    "transfers.send": {
      service: "transfers",
      operator: "HDFC",
      target: "XXXXXXXX9012",
      amount: "5000",
      details: {
        mode: "IMPS",
        account: BENEFICIARY.account,
        ifsc: BENEFICIARY.ifsc,
        beneficiary_ref: "900",
        beneficiary_name: BENEFICIARY.name,
        beneficiary_mobile: null,
        sender_mobile: SENDER.mobile,
        sender_name: "Asha Rao",
        sender_pincode: SENDER.pincode,
      },
    },
    "aeps.cash_withdrawal": { ...aeps("cash_withdrawal", { auth_ref: "15234567890" }), amount: "500" },
    "aeps.aadhaar_pay": { ...aeps("aadhaar_pay", { auth_ref: "15234567890" }), amount: "500" },
    "aeps.balance_enquiry": { ...aeps("balance_enquiry"), amount: "0" },
    "aeps.mini_statement": { ...aeps("mini_statement"), amount: "0" },
  },
  queries: {
    balance: { input: {}, value: { balance: "100000" } },
    lookup: { input: { number: "9811111111" }, value: { operator: "AT", circle: "DL" } },
    "bills.billers": {
      input: {},
      value: {
        billers: [
          { biller_id: "11", flow: "fetch", exactness: "exact", params: [{ name: "canumber", label: "CA Number", pattern: "^[0-9]{9}$" }] },
          { biller_id: "12", flow: "direct", params: [{ name: "canumber", pattern: "^.{1,100}$" }, { name: "ad1" }] },
        ],
      },
    },
    "bills.fetch": {
      input: {
        reference: "01JFETCH",
        biller_id: "11",
        params: { canumber: "210462053699" },
        customer_mobile: "9876543000",
        created_at: 0,
        provider_ref: "",
      },
      value: {
        status: "found",
        bills: [{ amount: "7919", customer_name: "DUMMY NAME", bill_date: "19 Aug 2023", due_date: "2023-08-29" }],
      },
    },
    "transfers.banks": { input: {}, value: {} },
    "transfers.sender.register": { input: SENDER, value: { status: "OTP_SENT", otp_ref: "b3c1e519-0f9a-4c1e-9d4f-sample", length: 6 } },
    "transfers.sender.verify": { input: { ...SENDER, otp: "123456", otp_ref: "b3c1e519" }, value: { status: "VERIFIED" } },
    "transfers.beneficiary.add": { input: BENEFICIARY, value: { status: "ACTIVE", beneficiary_ref: "900" } },
    "transfers.beneficiary.delete": { input: { ...BENEFICIARY, beneficiary_ref: "900" }, value: { status: "DELETED" } },
    "aeps.banks": {
      input: {},
      value: {
        banks: [
          { iin: "607094", live: true, per_transaction: true },
          { iin: "606985", live: false },
        ],
      },
    },
    "aeps.outlet.register": {
      input: {
        outlet_id: "OUT01JABCDEFGH",
        email: "shop@example.com",
        first_name: "Asha",
        last_name: "Rao",
        shop_name: "Rao Stores",
        shop_type: "5411",
        pan: "ABCDE1234F",
        aadhaar: AADHAAR,
        address: { line: "1 Main Road", city: "Mumbai", state_code: "MH", pincode: "400001" },
        bank_account: "123456789012",
        ifsc: "HDFC0000001",
        device_model: "MFS110",
        device_serial: "7654321",
        mobile: OUTLET.mobile,
        ...PLACE,
      },
      value: { agent_code: "OUT01JABCDEFGH", onboarding_url: "https://onboarding.paysprint.example/sample" },
    },
    "aeps.outlet.biometric": { input: { ...OUTLET, pid: PID, ...PLACE }, value: {} },
    "aeps.authenticate": { input: { ...OWNER, type: "TXN", bank_iin: "607094" }, value: { auth_ref: "15234567890" } },
  },
};
