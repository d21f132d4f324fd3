import { encryptAadhaar } from "@corprail/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Described,
  expectBalancedBooks,
  newReference,
  orderIdOf,
  QUICK,
  startDescribed,
} from "./harness/providers/described-services.ts";
import type { FakeProvider } from "./harness/providers/fake-provider.ts";
import { query, transaction } from "./harness/providers/fake-provider-description.ts";
import { withCheckDigit } from "./harness/verhoeff.ts";

// AEPS through a description, against a provider that answers over real sockets.

const PLACE = { latitude: "18.5204", longitude: "73.8567" };
const FINGER = "QkFTRTY0LUZJTkdFUg==".repeat(10);
const PID = `<PidData><Resp errCode="0" fCount="1"/><Skey ci="20301231">QUJD</Skey><Data type="X">${FINGER}</Data></PidData>`;
const OTP = "4711";
const BANK = { iin: "iin", name: "title" };
const CUSTOMER = { agent: "{details.agent_code}", bank: "{details.bank_iin}", aadhaar: "{details.aadhaar}", pid: "{details.pid}" };
const BALANCE = { customer_balance: { path: "customer_paise", unit: "paise" } };
const OPERATIONS = {
  "aeps.banks": query("/aeps/banks", {}, { banks: { list: "banks", item: BANK } }),
  "aeps.outlet.register": query("/agents", { shop: "{shop_name}", pan: "{pan}", aadhaar: "{aadhaar}" }, { agent_code: "agent" }),
  "aeps.outlet.send_otp": query("/agents/otp", { agent: "{agent_code}" }, { otp_ref: "otp_id", length: { constant: 4 } }),
  "aeps.outlet.verify_otp": query("/agents/otp/verify", { otp: "{otp}", otp_id: "{otp_ref}" }, {}, { WRONG: "otp_invalid" }),
  "aeps.authenticate": query("/agents/login", { agent: "{agent_code}", kind: "{type}", pid: "{pid}" }, {}, { NO: "no_match" }),
  "aeps.balance_enquiry": transaction("/pay/enquiry", CUSTOMER, BALANCE),
  "aeps.cash_withdrawal": transaction("/pay/withdrawal", { ...CUSTOMER, paise: "{amount|paise|number}" }, BALANCE),
};

function prepare(provider: FakeProvider): void {
  provider.on("/aeps/banks", () => ({ banks: [{ iin: "607094", title: "State Bank" }] }));
  provider.on("/agents", () => ({ agent: "AGENT-3" }));
  provider.on("/agents/otp", () => ({ otp_id: "O-1" }));
  provider.on("/agents/otp/verify", ({ otp, otp_id: id }) => (otp === OTP && id === "O-1" ? {} : { ok: false, code: "WRONG" }));
  provider.on("/agents/login", () => ({}));
}

const owner = withCheckDigit("23412341234");
const customer = withCheckDigit("34523452345");
let described: Described;
let outletId = "";
let key = "";
beforeAll(async () => {
  described = await startDescribed({ service: "aeps", operations: OPERATIONS }, prepare);
  key = (await described.api.aeps.key()).publicKeyPem;
});
afterAll(() => described?.close());

test("the provider's banks are listed, and an outlet becomes active by the provider's own one-time password", async () => {
  const { aeps } = described.api;
  expect(await aeps.banks().toArray()).toMatchObject([{ bankIin: "607094", name: "State Bank" }]);
  const outlet = await aeps.outlets.create({
    ...{ requestId: newReference("outlet"), mobile: "9876500001", email: "asha@example.in", firstName: "Asha", lastName: "Patil" },
    ...{ shopName: "Asha Stores", shopType: "5411", pan: "ABCPE1234F", bankAccount: "12345678901", ifsc: "HDFC0001234" },
    ...{ aadhaarEnc: encryptAadhaar(key, owner), device: { model: "MFS100", serial: "S1" }, ...PLACE },
    address: { line: "12 Station Road", city: "Pune", stateCode: "MH", pincode: "411001" },
  });
  ({ outletId } = outlet);
  const { otpRef } = await aeps.outlets.sendOtp({ outletId });
  await expect(aeps.outlets.verifyOtp({ outletId, otpRef, otp: "0000" })).rejects.toMatchObject({ error: "otp_invalid" });
  await aeps.outlets.verifyOtp({ outletId, otpRef, otp: OTP });
  expect(await aeps.outlets.biometric({ outletId, pid: PID, ...PLACE })).toMatchObject({ status: "ACTIVE" });
  await aeps.authenticate({ outletId, type: "DAILY", aadhaarEnc: encryptAadhaar(key, owner), pid: PID, ...PLACE });
  expect(described.first.asked.at(-1)).toMatchObject({ path: "/agents/login", body: { agent: "AGENT-3", kind: "DAILY" } });
});

const visit = () => ({
  ...{ requestId: newReference("aeps"), outletId, customerMobile: "9876543000", bankIin: "607094", consent: "Y" as const },
  ...{ aadhaarEnc: encryptAadhaar(key, customer), pid: PID, ...PLACE },
});

test("a balance enquiry gives the customer's balance and moves no money", async () => {
  const before = await described.balance();
  const asked = await described.api.aeps.balanceEnquiry(visit());
  expect(asked).toMatchObject({ outcome: "succeeded", aeps: { customerBalance: "12345.5000", bankName: "State Bank" } });
  expect(await described.balance()).toBe(before);
});

test("a withdrawal credits the wallet, and staff see neither Aadhaar number nor fingerprint", async () => {
  const before = await described.balance();
  const paid = await described.api.aeps.cashWithdrawal({ ...visit(), amount: "500" });
  expect(paid).toMatchObject({ outcome: "succeeded", aeps: { rrn: expect.stringMatching(/^77[0-9]{10}$/) } });
  expect(described.first.transactions.at(-1)?.body).toMatchObject({ agent: "AGENT-3", aadhaar: customer, paise: 50_000 });
  expect((await described.balance()) - before).toBeCloseTo(500, 4);
  const detail = JSON.stringify(await described.detail(orderIdOf(paid)));
  expect(detail).toContain("/pay/withdrawal");
  for (const secret of [...Object.values(described.first.keys), customer, FINGER]) expect(detail).not.toContain(secret);
});

test("a withdrawal whose answer is cut off is found by polling and credited once", async () => {
  const before = await described.balance();
  described.first.next("cut");
  const input = { ...visit(), amount: "500" };
  expect(await described.api.aeps.cashWithdrawal(input)).toMatchObject({ outcome: "pending" });
  expect(await described.balance()).toBe(before);
  expect(await described.api.aeps.waitForFinal({ requestId: input.requestId }, QUICK)).toMatchObject({ outcome: "succeeded" });
  expect((await described.balance()) - before).toBeCloseTo(500, 4);
});

test("the books are balanced", async () => {
  await expectBalancedBooks(described);
});
