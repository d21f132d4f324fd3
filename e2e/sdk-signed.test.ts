import { Corprail, encryptAadhaar } from "@corprail/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, change, newClient } from "./harness/operator.ts";
import { type Installation, startInstallation } from "./harness/service.ts";

let installation: Installation;
let client: Client;
let corprail: Corprail;
beforeAll(async () => {
  installation = await startInstallation({ CORPRAIL_SIMULATOR_DELAY_MS: "300", CORPRAIL_SIMULATOR_TIMEOUT_MS: "500" });
  client = await newClient(installation.service, { services: { bills: true, transfers: true, bus: true, aeps: true } });
  await change(installation.service, `/accounts/${client.accountId}/wallet`, { amount: "100000.00", reference: "start", note: "" });
  corprail = new Corprail({ baseUrl: installation.service.url, token: client.token, signingSecret: client.secret });
});
afterAll(() => installation?.close());

const QUICK = { firstCheckAfterMs: 50, checkEveryMs: 50, giveUpAfterMs: 10_000 } as const;
const OTP = "111000";

test("a bill is found, fetched, paid and looked up", async () => {
  const [category] = await corprail.bills.categories().toArray(1);
  const billers = await corprail.bills.billers().toArray();
  expect(category).toMatchObject({ category: expect.any(String), billers: expect.any(Number) });
  const biller = billers.find((one) => one.flow === "fetch");
  const params = Object.fromEntries((biller?.params ?? []).map((one) => [one.name, one.example]));
  const fetched = await corprail.bills.fetch({ requestId: "F-1", billerId: biller?.billerId ?? "", customerMobile: "9876543210", params });
  expect(fetched).toMatchObject({ status: "SUCCESS", requestId: "F-1", exactness: biller?.exactness });
  expect(await corprail.bills.waitForFetch({ requestId: "F-1" }, QUICK)).toEqual(fetched);
  const pay = {
    fetchRef: fetched.fetchRef,
    amount: fetched.bills[0]?.amount ?? "",
    paymentMode: biller?.paymentModes[0] ?? "",
    payerName: "Asha",
  };
  const paid = await corprail.bills.payAndSettle({ requestId: "P-1", ...pay }, QUICK);
  expect(paid).toMatchObject({
    outcome: "succeeded",
    requestId: "P-1",
    bill: { billerId: biller?.billerId, paymentMode: pay.paymentMode },
  });
  expect(await corprail.bills.getPayment({ fetchRef: fetched.fetchRef })).toMatchObject({ outcome: "succeeded", urid: "P-1" });
  await expect(corprail.bills.pay({ requestId: "P-2", ...pay })).rejects.toMatchObject({
    error: "fetch_already_paid",
    customerRefund: "due",
  });
});

test("money is sent: sender, beneficiary, penny drop, quote, transfer", async () => {
  const mobile = "9876543210";
  const { otpRef } = await corprail.transfers.senders.create({
    requestId: "S-1",
    mobile,
    firstName: "Asha",
    pincode: "560001",
    consent: "Y",
  });
  expect(await corprail.transfers.senders.verify({ mobile, otpRef, otp: OTP })).toMatchObject({ mobile, status: "VERIFIED" });
  expect(await corprail.transfers.senders.get({ mobile })).toMatchObject({ usedMonth: "0.0000" });
  const banks = await corprail.transfers.banks().toArray();
  const ifsc = `${banks.find((one) => one.status === "up")?.ifscPrefix}000001`;
  const added = await corprail.transfers.beneficiaries.add({
    requestId: "N-1",
    sender: mobile,
    name: "Ravi",
    account: "50100000000001",
    ifsc,
  });
  const { beneficiaryId } = added.beneficiary;
  expect(await corprail.transfers.beneficiaries.verifyOtp({ beneficiaryId, otpRef: added.otpRef, otp: OTP })).toMatchObject({
    status: "ACTIVE",
  });
  expect(await corprail.transfers.beneficiaries.verify({ requestId: "V-1", beneficiaryId })).toMatchObject({
    outcome: "succeeded",
    accountStatus: "ACTIVE",
  });
  expect(await corprail.transfers.beneficiaries.list({ sender: mobile }).toArray()).toMatchObject([{ beneficiaryId, verified: true }]);
  const quote = await corprail.transfers.quote({ requestId: "Q-1", sender: mobile, beneficiaryId, amount: "500.00", mode: "IMPS" });
  const sent = await corprail.transfers.createAndSettle({ requestId: "T-1", transferRef: quote.transferRef, otp: OTP }, QUICK);
  expect(sent).toMatchObject({ outcome: "succeeded", fee: quote.fee, transfer: { beneficiaryId, mode: "IMPS", sender: mobile } });
  expect(await corprail.transfers.get({ transferRef: quote.transferRef })).toMatchObject({ outcome: "succeeded", urid: "T-1" });
  const asked = await corprail.transfers.beneficiaries.requestDelete({ beneficiaryId });
  expect(await corprail.transfers.beneficiaries.delete({ beneficiaryId, otpRef: asked.otpRef, otp: OTP })).toMatchObject({
    status: "DELETED",
  });
});

test("a seat is found, blocked, booked and cancelled", async () => {
  const [from, to] = await corprail.bus.cities().toArray(2);
  const date = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const [trip] = await corprail.bus.trips({ from: from?.cityId ?? "", to: to?.cityId ?? "", date }).toArray(1);
  const seats = await corprail.bus.seats({ tripId: trip?.tripId ?? "" });
  const seat = seats.find((one) => one.available && one.gender === "any")?.seat ?? "";
  const block = await corprail.bus.block({
    requestId: "K-1",
    tripId: trip?.tripId ?? "",
    boardingId: trip?.boarding[0]?.id ?? "",
    passengers: [{ seat, title: "Ms", name: "Asha Rao", age: 30, gender: "F", idType: "PAN", idNumber: "ABCDE1234F" }],
    contact: { mobile: "9876543210", email: "asha@example.in" },
  });
  const booked = await corprail.bus.bookAndSettle({ requestId: "B-1", blockRef: block.blockRef, amount: block.total }, QUICK);
  expect(booked).toMatchObject({ outcome: "succeeded", ticket: { seats: [seat], tripId: trip?.tripId } });
  const ticketNo = booked.outcome === "succeeded" ? booked.ticket.ticketNo : "";
  const quote = await corprail.bus.quoteCancel({ ticketNo, seats: [seat] });
  const cancelled = await corprail.bus.cancel({ requestId: "C-1", ticketNo, seats: [seat], quoteRef: quote.quoteRef });
  expect(cancelled).toMatchObject({ cancelledSeats: [seat], refundAmount: quote.refundAmount });
  expect(await corprail.bus.getTicket({ ticketNo })).toMatchObject({ outcome: "failed", ticket: { refundAmount: quote.refundAmount } });
});

test("an outlet is made, authenticated, and pays out cash", async () => {
  const { publicKeyPem } = await corprail.aeps.key();
  const aadhaar = () => encryptAadhaar(publicKeyPem, "999941057058");
  const place = { latitude: "12.9716", longitude: "77.5946" } as const;
  const pid = '<PidData><Resp errCode="0"/></PidData>';
  const { outletId } = await corprail.aeps.outlets.create({
    requestId: "O-1",
    mobile: "9876543210",
    email: "asha@example.in",
    firstName: "Asha",
    lastName: "Rao",
    shopName: "Asha Stores",
    shopType: "5411",
    pan: "ABCDE1234F",
    aadhaarEnc: aadhaar(),
    address: { line: "1 MG Road", city: "Bengaluru", stateCode: "KA", pincode: "560001" },
    bankAccount: "50100000000001",
    ifsc: "HDFC0000001",
    device: { model: "M1", serial: "S1" },
    ...place,
  });
  const { otpRef } = await corprail.aeps.outlets.sendOtp({ outletId });
  await corprail.aeps.outlets.verifyOtp({ outletId, otpRef, otp: OTP });
  expect(await corprail.aeps.outlets.biometric({ outletId, pid, ...place })).toMatchObject({ outletId, status: "ACTIVE" });
  expect(await corprail.aeps.outlets.get({ outletId })).toMatchObject({ outletId, dailyAuthUntil: null });
  await corprail.aeps.authenticate({ outletId, type: "DAILY", aadhaarEnc: aadhaar(), pid, ...place });
  const bankIin = (await corprail.aeps.banks().toArray(1))[0]?.bankIin ?? "";
  const { authRef } = await corprail.aeps.authenticate({ outletId, type: "TXN", aadhaarEnc: aadhaar(), pid, bankIin, ...place });
  const customer = { outletId, customerMobile: "9876543210", bankIin, pid, consent: "Y", authRef, ...place } as const;
  const paid = await corprail.aeps.cashWithdrawalAndSettle(
    { requestId: "W-1", aadhaarEnc: aadhaar(), amount: "500.00", ...customer },
    QUICK,
  );
  expect(paid).toMatchObject({
    outcome: "succeeded",
    aeps: { type: "cash_withdrawal", outletId, rrn: expect.stringMatching(/^[0-9]{12}$/) },
  });
  expect(await corprail.aeps.getTransaction({ requestId: "W-1" })).toMatchObject({ outcome: "succeeded" });
});
