import { afterAll, beforeAll, expect, test } from "vitest";
import { type ContractServer, contractServer } from "../../testing/contract-server.js";
import { SECRET, TOKEN } from "../../testing/scripted-fetch.js";
import { Corprail } from "../corprail.js";

let server: ContractServer;
let corprail: Corprail;
beforeAll(async () => {
  server = await contractServer();
  corprail = new Corprail({ baseUrl: server.url, token: TOKEN, signingSecret: SECRET });
});
afterAll(() => server.close());

type Row = {
  readonly name: string;
  readonly call: (client: Corprail) => Promise<unknown>;
  readonly sends: { readonly call: string; readonly query?: object; readonly body?: object };
  /** Beyond `ok`. */
  readonly answers: object;
  readonly gives: unknown;
};

const PLACE = { latitude: "12.9716", longitude: "77.5946" } as const;
const OTP = { otpRef: "OTP1", otp: "111000" } as const;
const OTP_WIRE = { otp_ref: "OTP1", otp: "111000" } as const;
const PASSENGER = { seat: "A1", title: "Ms", name: "Asha", age: 30, gender: "F" } as const;
const list = (item: object) => ({ items: [item], next: null });

const BILLS: readonly Row[] = [
  {
    name: "bills.categories",
    call: (client) => client.bills.categories().toArray(),
    sends: { call: "GET /bills/categories" },
    answers: list({ category: "electricity", name: "Electricity" }),
    gives: [{ category: "electricity", name: "Electricity" }],
  },
  {
    name: "bills.billers",
    call: (client) => client.bills.billers({ category: "electricity", search: "Tata & Co", billerId: "B1" }).toArray(),
    sends: { call: "GET /bills/billers", query: { category: "electricity", search: "Tata & Co", biller_id: "B1" } },
    answers: list({ biller_id: "B1", payment_modes: ["UPI"], params: [{ name: "Consumer Number" }] }),
    gives: [{ billerId: "B1", paymentModes: ["UPI"], params: [{ name: "Consumer Number" }] }],
  },
  {
    name: "bills.fetch",
    call: (client) =>
      client.bills.fetch({ requestId: "F-1", billerId: "B1", customerMobile: "9876543210", params: { consumerNo: "42" }, channel: "INT" }),
    sends: {
      call: "POST /bills/fetch",
      body: { request_id: "F-1", biller_id: "B1", customer_mobile: "9876543210", params: { consumerNo: "42" }, channel: "INT" },
    },
    answers: { status: "SUCCESS", fetch_ref: "FR1", valid_until: 1, bills: [{ bill_number: "7" }] },
    gives: { status: "SUCCESS", fetchRef: "FR1", validUntil: 1, bills: [{ billNumber: "7" }] },
  },
  {
    name: "bills.getFetch",
    call: (client) => client.bills.getFetch({ fetchRef: "FR1" }),
    sends: { call: "GET /bills/fetch", query: { fetch_ref: "FR1" } },
    answers: { status: "pending", fetch_ref: "FR1" },
    gives: { status: "pending", fetchRef: "FR1" },
  },
];

const SENDER = { request_id: "S-1", mobile: "9876543210", first_name: "Asha", pincode: "560001", consent: "Y" };
const BENEFICIARY = { beneficiary_id: "BEN1", account_masked: "XX3210" };

const TRANSFERS: readonly Row[] = [
  {
    name: "transfers.senders.create",
    call: (client) =>
      client.transfers.senders.create({ requestId: "S-1", mobile: "9876543210", firstName: "Asha", pincode: "560001", consent: "Y" }),
    sends: { call: "POST /transfers/senders", body: SENDER },
    answers: { sender: { mobile: "9876543210", limit_month: "25000.0000" }, otp_ref: "OTP1" },
    gives: { sender: { mobile: "9876543210", limitMonth: "25000.0000" }, otpRef: "OTP1" },
  },
  {
    name: "transfers.senders.get",
    call: (client) => client.transfers.senders.get({ mobile: "9876543210" }),
    sends: { call: "GET /transfers/senders", query: { mobile: "9876543210" } },
    answers: { sender: { used_month: "1.0000" } },
    gives: { usedMonth: "1.0000" },
  },
  {
    name: "transfers.senders.verify",
    call: (client) => client.transfers.senders.verify({ mobile: "9876543210", ...OTP }),
    sends: { call: "POST /transfers/senders/verify", body: { mobile: "9876543210", ...OTP_WIRE } },
    answers: { sender: { status: "VERIFIED" } },
    gives: { status: "VERIFIED" },
  },
  {
    name: "transfers.senders.resendOtp",
    call: (client) => client.transfers.senders.resendOtp({ mobile: "9876543210", otpRef: "OTP1" }),
    sends: { call: "POST /transfers/senders/otp", body: { mobile: "9876543210", otp_ref: "OTP1" } },
    answers: { otp_ref: "OTP2" },
    gives: { otpRef: "OTP2" },
  },
  {
    name: "transfers.beneficiaries.add",
    call: (client) =>
      client.transfers.beneficiaries.add({ requestId: "N-1", sender: "9876543210", name: "Ravi", account: "50100", ifsc: "HDFC0000001" }),
    sends: {
      call: "POST /transfers/beneficiaries",
      body: { request_id: "N-1", sender: "9876543210", name: "Ravi", account: "50100", ifsc: "HDFC0000001" },
    },
    answers: { beneficiary: BENEFICIARY, otp_ref: "OTP1" },
    gives: { beneficiary: { beneficiaryId: "BEN1", accountMasked: "XX3210" }, otpRef: "OTP1" },
  },
  {
    name: "transfers.beneficiaries.list",
    call: (client) => client.transfers.beneficiaries.list({ sender: "9876543210" }).toArray(),
    sends: { call: "GET /transfers/beneficiaries", query: { sender: "9876543210" } },
    answers: list(BENEFICIARY),
    gives: [{ beneficiaryId: "BEN1", accountMasked: "XX3210" }],
  },
  {
    name: "transfers.beneficiaries.verifyOtp",
    call: (client) => client.transfers.beneficiaries.verifyOtp({ beneficiaryId: "BEN1", ...OTP }),
    sends: { call: "POST /transfers/beneficiaries/verify_otp", body: { beneficiary_id: "BEN1", ...OTP_WIRE } },
    answers: { beneficiary: { status: "ACTIVE" } },
    gives: { status: "ACTIVE" },
  },
  {
    name: "transfers.beneficiaries.requestDelete",
    call: (client) => client.transfers.beneficiaries.requestDelete({ beneficiaryId: "BEN1" }),
    sends: { call: "POST /transfers/beneficiaries/delete", body: { beneficiary_id: "BEN1" } },
    answers: { otp_ref: "OTP3" },
    gives: { otpRef: "OTP3" },
  },
  {
    name: "transfers.beneficiaries.delete",
    call: (client) => client.transfers.beneficiaries.delete({ beneficiaryId: "BEN1", ...OTP }),
    sends: { call: "POST /transfers/beneficiaries/delete", body: { beneficiary_id: "BEN1", ...OTP_WIRE } },
    answers: { beneficiary: { status: "DELETED" } },
    gives: { status: "DELETED" },
  },
  {
    name: "transfers.banks",
    call: (client) => client.transfers.banks().toArray(),
    sends: { call: "GET /transfers/banks" },
    answers: list({ name: "HDFC Bank", status: "up" }),
    gives: [{ name: "HDFC Bank", status: "up" }],
  },
  {
    name: "transfers.quote",
    call: (client) =>
      client.transfers.quote({ requestId: "Q-1", sender: "9876543210", beneficiaryId: "BEN1", amount: "100.00", mode: "IMPS" }),
    sends: {
      call: "POST /transfers/quote",
      body: { request_id: "Q-1", sender: "9876543210", beneficiary_id: "BEN1", amount: "100.00", mode: "IMPS" },
    },
    answers: { transfer_ref: "TR1", limit_left: "24900.0000" },
    gives: { transferRef: "TR1", limitLeft: "24900.0000" },
  },
];

const BUS: readonly Row[] = [
  {
    name: "bus.cities",
    call: (client) => client.bus.cities({ search: "Ben" }).toArray(),
    sends: { call: "GET /bus/cities", query: { search: "Ben" } },
    answers: list({ city_id: "C1", name: "Bengaluru" }),
    gives: [{ cityId: "C1", name: "Bengaluru" }],
  },
  {
    name: "bus.trips",
    call: (client) => client.bus.trips({ from: "C1", to: "C2", date: "2025-06-15" }).toArray(),
    sends: { call: "GET /bus/trips", query: { from: "C1", to: "C2", date: "2025-06-15" } },
    answers: list({ trip_id: "T1", boarding: [{ id: "B1" }] }),
    gives: [{ tripId: "T1", boarding: [{ id: "B1" }] }],
  },
  {
    name: "bus.seats",
    call: (client) => client.bus.seats({ tripId: "T1" }),
    sends: { call: "GET /bus/seats", query: { trip_id: "T1" } },
    answers: { seats: [{ seat: "A1", available: true }] },
    gives: [{ seat: "A1", available: true }],
  },
  {
    name: "bus.block",
    call: (client) =>
      client.bus.block({
        requestId: "K-1",
        tripId: "T1",
        boardingId: "B1",
        passengers: [{ ...PASSENGER, idType: "PAN", idNumber: "X" }],
        contact: { mobile: "9876543210", email: "a@x.in" },
      }),
    sends: {
      call: "POST /bus/block",
      body: {
        request_id: "K-1",
        trip_id: "T1",
        boarding_id: "B1",
        passengers: [{ ...PASSENGER, id_type: "PAN", id_number: "X" }],
        contact: { mobile: "9876543210", email: "a@x.in" },
      },
    },
    answers: { block_ref: "BL1", total: "500.0000", fare_changed: false, valid_until: 1 },
    gives: { blockRef: "BL1", total: "500.0000", fareChanged: false, validUntil: 1 },
  },
  {
    name: "bus.quoteCancel",
    call: (client) => client.bus.quoteCancel({ ticketNo: "TK1", seats: ["A1", "A2"] }),
    sends: { call: "GET /bus/cancel", query: { ticket_no: "TK1", seats: "A1,A2" } },
    answers: { quote_ref: "CQ1", refund_amount: "400.0000" },
    gives: { quoteRef: "CQ1", refundAmount: "400.0000" },
  },
  {
    name: "bus.cancel",
    call: (client) => client.bus.cancel({ requestId: "C-1", ticketNo: "TK1", seats: ["A1"], quoteRef: "CQ1" }),
    sends: { call: "POST /bus/cancel", body: { request_id: "C-1", ticket_no: "TK1", seats: ["A1"], quote_ref: "CQ1" } },
    answers: { cancel_id: "X1", cancelled_seats: ["A1"] },
    gives: { cancelId: "X1", cancelledSeats: ["A1"] },
  },
];

const OUTLET = {
  requestId: "O-1",
  mobile: "9876543210",
  email: "a@x.in",
  firstName: "Asha",
  lastName: "K",
  shopName: "Asha Stores",
  shopType: "5411",
  pan: "ABCDE1234F",
  aadhaarEnc: "e30=",
  address: { line: "1", city: "Bengaluru", stateCode: "KA", pincode: "560001" },
  bankAccount: "50100",
  ifsc: "HDFC0000001",
  device: { model: "M", serial: "S" },
  ...PLACE,
} as const;

const AEPS: readonly Row[] = [
  {
    name: "aeps.key",
    call: (client) => client.aeps.key(),
    sends: { call: "GET /aeps/key" },
    answers: { key_id: "K1", public_key_pem: "-----" },
    gives: { keyId: "K1", publicKeyPem: "-----" },
  },
  {
    name: "aeps.banks",
    call: (client) => client.aeps.banks().toArray(),
    sends: { call: "GET /aeps/banks" },
    answers: list({ bank_iin: "607152" }),
    gives: [{ bankIin: "607152" }],
  },
  {
    name: "aeps.outlets.create",
    call: (client) => client.aeps.outlets.create(OUTLET),
    sends: {
      call: "POST /aeps/outlets",
      body: {
        request_id: "O-1",
        mobile: "9876543210",
        email: "a@x.in",
        first_name: "Asha",
        last_name: "K",
        shop_name: "Asha Stores",
        shop_type: "5411",
        pan: "ABCDE1234F",
        aadhaar_enc: "e30=",
        address: { line: "1", city: "Bengaluru", state_code: "KA", pincode: "560001" },
        bank_account: "50100",
        ifsc: "HDFC0000001",
        device: { model: "M", serial: "S" },
        ...PLACE,
      },
    },
    answers: { outlet: { outlet_id: "OUT1", status: "OTP_PENDING" } },
    gives: { outletId: "OUT1", status: "OTP_PENDING" },
  },
  {
    name: "aeps.outlets.list",
    call: (client) => client.aeps.outlets.list().toArray(),
    sends: { call: "GET /aeps/outlets" },
    answers: list({ outlet_id: "OUT1" }),
    gives: [{ outletId: "OUT1" }],
  },
  {
    name: "aeps.outlets.get",
    call: (client) => client.aeps.outlets.get({ outletId: "OUT1" }),
    sends: { call: "GET /aeps/outlets", query: { outlet_id: "OUT1" } },
    answers: list({ outlet_id: "OUT1" }),
    gives: { outletId: "OUT1" },
  },
  {
    name: "aeps.outlets.sendOtp",
    call: (client) => client.aeps.outlets.sendOtp({ outletId: "OUT1" }),
    sends: { call: "POST /aeps/outlets/otp", body: { outlet_id: "OUT1" } },
    answers: { otp_ref: "OTP1" },
    gives: { otpRef: "OTP1" },
  },
  {
    name: "aeps.outlets.verifyOtp",
    call: (client) => client.aeps.outlets.verifyOtp({ outletId: "OUT1", ...OTP }),
    sends: { call: "POST /aeps/outlets/otp_verify", body: { outlet_id: "OUT1", ...OTP_WIRE } },
    answers: { outlet: { status: "BIOMETRIC_PENDING" } },
    gives: { status: "BIOMETRIC_PENDING" },
  },
  {
    name: "aeps.outlets.biometric",
    call: (client) => client.aeps.outlets.biometric({ outletId: "OUT1", pid: "<PidData/>", ...PLACE }),
    sends: { call: "POST /aeps/outlets/biometric", body: { outlet_id: "OUT1", pid: "<PidData/>", ...PLACE } },
    answers: { outlet: { status: "ACTIVE" } },
    gives: { status: "ACTIVE" },
  },
  {
    name: "aeps.authenticate",
    call: (client) =>
      client.aeps.authenticate({ outletId: "OUT1", type: "TXN", aadhaarEnc: "e30=", pid: "<P/>", bankIin: "607152", ...PLACE }),
    sends: {
      call: "POST /aeps/auth",
      body: { outlet_id: "OUT1", type: "TXN", aadhaar_enc: "e30=", pid: "<P/>", bank_iin: "607152", ...PLACE },
    },
    answers: { auth_ref: "AU1", valid_until: 1 },
    gives: { authRef: "AU1", validUntil: 1 },
  },
];

test.each([...BILLS, ...TRANSFERS, ...BUS, ...AEPS])("$name sends what the contract says, signed, and reads the reply", async (row) => {
  const { call, query = {}, body = null } = row.sends;
  server.on(call, () => ({ body: { ok: true, ...row.answers } }));
  expect(await row.call(corprail)).toEqual(row.gives);
  expect(server.seen.at(-1)).toEqual({ call, query, body });
});
