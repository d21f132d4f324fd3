import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonRecord } from "./harness/operator.ts";
import {
  calledBack,
  type Described,
  expectBalancedBooks,
  newReference,
  QUICK,
  startDescribed,
} from "./harness/providers/described-services.ts";
import type { FakeProvider } from "./harness/providers/fake-provider.ts";
import { query, transaction } from "./harness/providers/fake-provider-description.ts";

// Transfers through a description, against a provider that mints its own one-time passwords.

const OTP = { WRONG: "otp_invalid", LATE: "otp_expired" };
const SENT = { otp_ref: "otp_id" };
const ACCOUNT = {
  account: "{details.account}",
  ifsc: "{details.ifsc}",
  payee: "{details.beneficiary_ref}",
  paise: "{amount|paise|number}",
};
const GIVEN = { otp: "{otp}", otp_id: "{otp_ref}" };
const BANK = { bank: "prefix", name: "title" };
const OPERATIONS = {
  "transfers.banks": query("/banks", {}, { banks: { list: "banks", item: BANK } }),
  "transfers.sender.register": query(
    "/senders",
    { mobile: "{mobile}", name: "{first_name} {last_name}" },
    { status: { path: "state", map: { ASK: "OTP_SENT", KNOWN: "VERIFIED", "*": "BLOCKED" } }, ...SENT },
  ),
  "transfers.sender.verify": query("/senders/verify", { mobile: "{mobile}", ...GIVEN }, { status: { constant: "VERIFIED" } }, OTP),
  "transfers.beneficiary.add": query(
    "/payees",
    { sender: "{sender}", account: "{account}", ifsc: "{ifsc}", name: "{name}" },
    { status: { constant: "OTP_SENT" }, beneficiary_ref: "payee_id", ...SENT },
  ),
  "transfers.beneficiary.verify": query(
    "/payees/verify",
    { payee: "{beneficiary_ref}", ...GIVEN },
    { beneficiary_ref: { given: "{beneficiary_ref}" } },
    OTP,
  ),
  "transfers.send_otp": query("/transfers/otp", { payee: "{beneficiary_ref}", paise: "{amount|paise|number}" }, SENT),
  "transfers.send": transaction("/pay/transfer", { ...ACCOUNT, otp: "{details.otp}", otp_id: "{details.otp_ref}", mode: "{details.mode}" }),
  "transfers.check_account": transaction("/pay/check", ACCOUNT, { verified_name: "name" }),
};

const codes = new Map<string, string>();
function mint(): JsonRecord {
  const id = `O-${codes.size + 1}`;
  codes.set(id, String(100_000 + codes.size));
  return { otp_id: id };
}
const accepts = ({ otp, otp_id: id }: JsonRecord): JsonRecord => (codes.get(String(id)) === otp ? {} : { ok: false, code: "WRONG" });
const lastCode = () => [...codes.values()].at(-1) ?? "";

function prepare(provider: FakeProvider): void {
  provider.on("/banks", () => ({ banks: [{ prefix: "HDFC", title: "HDFC Bank" }] }));
  provider.on("/senders", () => ({ state: "ASK", ...mint() }));
  provider.on("/senders/verify", accepts);
  provider.on("/payees", () => ({ payee_id: "PAYEE-9", ...mint() }));
  provider.on("/payees/verify", accepts);
  provider.on("/transfers/otp", mint);
}

const SENDER = "9876543210";
let described: Described;
let beneficiaryId = "";
beforeAll(async () => {
  described = await startDescribed({ service: "transfers", operations: OPERATIONS }, prepare);
});
afterAll(() => described?.close());

test("the provider's banks are listed", async () => {
  expect(await described.api.transfers.banks().toArray()).toMatchObject([{ bank: "HDFC", name: "HDFC Bank", status: "up" }]);
});

test("sender and beneficiary are verified with the provider's own one-time passwords", async () => {
  const { senders, beneficiaries } = described.api.transfers;
  const person = { mobile: SENDER, firstName: "Asha", lastName: "Verma", pincode: "411001", consent: "Y" } as const;
  const { otpRef } = await senders.create({ requestId: newReference("sender"), ...person });
  await expect(senders.verify({ mobile: SENDER, otpRef, otp: "999999" })).rejects.toMatchObject({ error: "otp_invalid" });
  expect(await senders.verify({ mobile: SENDER, otpRef, otp: lastCode() })).toMatchObject({ status: "VERIFIED" });
  const payee = { sender: SENDER, name: "Ravi Rao", account: "12345678901", ifsc: "HDFC0001234" };
  const added = await beneficiaries.add({ requestId: newReference("payee"), ...payee });
  ({ beneficiaryId } = added.beneficiary);
  const active = await beneficiaries.verifyOtp({ beneficiaryId, otpRef: added.otpRef, otp: lastCode() });
  expect(active).toMatchObject({ status: "ACTIVE" });
});

const quote = () => described.api.transfers.quote({ requestId: newReference("quote"), sender: SENDER, beneficiaryId, amount: "500.00" });

test("a transfer is sent with the password of its quote and the provider's id of the beneficiary", async () => {
  const before = await described.balance();
  const { transferRef, total } = await quote();
  const requestId = newReference("transfer");
  const sent = await described.api.transfers.create({ requestId, transferRef, otp: lastCode() });
  expect(sent).toMatchObject({ outcome: "succeeded", transfer: { utr: expect.stringMatching(/^77/) } });
  expect(described.first.transactions.at(-1)?.body).toMatchObject({
    ...{ account: "12345678901", ifsc: "HDFC0001234", payee: "PAYEE-9", paise: 50_000, mode: "IMPS" },
    ...{ otp: lastCode(), otp_id: [...codes.keys()].at(-1) },
  });
  expect(before - (await described.balance())).toBeCloseTo(Number(total), 4);
});

test("a penny drop gives the name that the bank has", async () => {
  const checked = await described.api.transfers.beneficiaries.verify({ requestId: newReference("check"), beneficiaryId });
  expect(checked).toMatchObject({ outcome: "succeeded", verifiedName: "ASHA VERMA", accountStatus: "ACTIVE" });
});

test("a transfer whose answer is cut off is found by polling and charged once; staff see no secret", async () => {
  const before = await described.balance();
  const { transferRef, total } = await quote();
  const requestId = newReference("transfer");
  described.first.next("cut");
  const pending = await described.api.transfers.create({ requestId, transferRef, otp: lastCode() });
  expect(pending).toMatchObject({ outcome: "pending" });
  const final = await described.api.transfers.waitForFinal({ requestId }, QUICK);
  expect(final).toMatchObject({ outcome: "succeeded" });
  expect(before - (await described.balance())).toBeCloseTo(Number(total), 4);
  await calledBack(described, requestId, "SUCCESS");
  const detail = JSON.stringify(await described.detail(final.orderId));
  expect(detail).toContain("/pay/transfer");
  for (const secret of [...Object.values(described.first.keys), "12345678901", `"${lastCode()}"`]) expect(detail).not.toContain(secret);
});

test("the books are balanced", async () => {
  await expectBalancedBooks(described);
});
