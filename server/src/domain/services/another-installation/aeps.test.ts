import { afterAll, beforeAll, expect, test } from "vitest";
import type { ProviderExchange } from "../../providers/connector.ts";
import { NEVER } from "../../providers/testing/requests.ts";
import { newAadhaar, OTP, PER_TRANSACTION_BANK, PID, PLACE, SERIAL } from "../aeps/testing/aeps-client.ts";
import { newMobile } from "../transfers/testing/flow.ts";
import { newOrder, newReference, type OtherInstallation, settled, startOtherInstallation } from "./testing/installation.ts";

let other: OtherInstallation;
beforeAll(async () => {
  other = await startOtherInstallation({ rupees: 10 });
});
afterAll(() => other?.close());

const BANK = "607094";
const registration = (aadhaar: string, pan = "ABCPE1234F") => ({
  ...{ outlet_id: newReference(), email: "asha@example.in", first_name: "Asha", last_name: "Patil", shop_name: "Asha Stores" },
  ...{ shop_type: "5411", pan, aadhaar, bank_account: "12345678901", ifsc: "HDFC0001234", device_model: "MFS100", device_serial: SERIAL },
  address: { line: "12 Station Road", city: "Pune", state_code: "MH", pincode: "411001" },
  mobile: newMobile(),
  ...PLACE,
});

type Outlet = { readonly agent_code: string; readonly mobile: string; readonly owner: string };

async function newOutlet(pan?: string): Promise<Outlet> {
  const owner = newAadhaar();
  const body = registration(owner, pan);
  const { agent_code } = await other.answer("aeps.outlet.register", body);
  const outlet = { agent_code, mobile: body.mobile };
  const { otp_ref } = await other.answer("aeps.outlet.send_otp", { ...outlet, ...PLACE });
  await other.answer("aeps.outlet.verify_otp", { ...outlet, otp: OTP, otp_ref });
  return { ...outlet, owner };
}

const capture = ({ agent_code, mobile }: Outlet) => ({ agent_code, mobile, pid: PID, ...PLACE });
const authentication = (outlet: Outlet) => ({ ...capture(outlet), type: "DAILY" as const, aadhaar: outlet.owner, bank_iin: "" });

async function readyOutlet(): Promise<Outlet> {
  const outlet = await newOutlet();
  await other.answer("aeps.outlet.biometric", capture(outlet));
  await other.answer("aeps.authenticate", authentication(outlet));
  return outlet;
}

const order = (
  outlet: Outlet,
  operation: string,
  more: { readonly target?: string; readonly amount?: string; readonly details?: object } = {},
) =>
  newOrder({
    ...{ service: "aeps", operation, operator: BANK, target: more.target ?? "9876543000", amount: more.amount ?? "500" },
    details: { agent_code: outlet.agent_code, bank_iin: BANK, aadhaar: newAadhaar(), pid: PID, ...PLACE, consent: "Y", ...more.details },
  });

test("the banks say whether they are live and want an authentication for each transaction", async () => {
  const { banks } = await other.answer("aeps.banks", {});
  expect(banks).toContainEqual({ iin: BANK, name: "State Bank of India", live: true, per_transaction: false });
  expect(banks).toContainEqual({ iin: PER_TRANSACTION_BANK, name: "Central Bank of India", live: true, per_transaction: true });
  expect(banks.some((bank) => !bank.live)).toBe(true);
});

test("an outlet goes through its steps, each answered once it is done", async () => {
  const owner = newAadhaar();
  const body = registration(owner);
  const { agent_code } = await other.answer("aeps.outlet.register", body);
  const outlet = { agent_code, mobile: body.mobile, owner };
  const sent = await other.answer("aeps.outlet.send_otp", { agent_code, mobile: body.mobile, ...PLACE });
  expect(sent).toEqual({ otp_ref: expect.stringMatching(/./), length: 6 });
  const given = { agent_code, mobile: body.mobile, otp_ref: sent.otp_ref };
  expect(await other.query("aeps.outlet.verify_otp", { ...given, otp: "999999" })).toMatchObject({ kind: "refused", code: "otp_invalid" });
  expect(await other.answer("aeps.outlet.verify_otp", { ...given, otp: OTP })).toEqual({});
  expect(await other.query("aeps.outlet.biometric", { ...capture(outlet), pid: '<PidData><Resp errCode="730"/></PidData>' })).toMatchObject(
    {
      kind: "refused",
      code: "no_match",
    },
  );
  expect(await other.answer("aeps.outlet.biometric", capture(outlet))).toEqual({});
  expect(await other.answer("aeps.authenticate", authentication(outlet))).toEqual({ auth_ref: expect.stringMatching(/^AU/) });
});

test("registering the same outlet again gives the same outlet there", async () => {
  const body = registration(newAadhaar());
  expect(await other.answer("aeps.outlet.register", body)).toEqual(await other.answer("aeps.outlet.register", body));
});

test("a rejected or suspended outlet is rejected, a missing step is not", async () => {
  const rejected = await newOutlet("RJCPT0000X");
  expect(await other.query("aeps.outlet.biometric", capture(rejected))).toMatchObject({ kind: "refused", code: "rejected" });
  expect(await other.query("aeps.outlet.biometric", capture(rejected))).toMatchObject({ kind: "refused", code: "rejected" });
  const suspended = await newOutlet("SSPPD0000X");
  const early = await other.query("aeps.authenticate", authentication(suspended));
  expect(early).toMatchObject({ kind: "refused" });
  expect(early).not.toHaveProperty("code");
  await other.answer("aeps.outlet.biometric", capture(suspended));
  expect(await other.query("aeps.authenticate", authentication(suspended))).toMatchObject({ kind: "refused", code: "rejected" });
  expect(await other.query("aeps.authenticate", { ...authentication(suspended), agent_code: "OUTNOBODY" })).toMatchObject({
    code: "not_found",
  });
});

test("enquiries give the customer's balance and movements, and cost nothing", async () => {
  const outlet = await readyOutlet();
  const balance = await other.send(order(outlet, "balance_enquiry", { amount: "0" }));
  expect(balance).toMatchObject({
    ...{ kind: "succeeded", operatorRef: expect.stringMatching(/^\d{12}$/), cost: "0.0000" },
    result: { customer_balance: expect.stringMatching(/^\d+\.\d{4}$/), entries: [] },
  });
  const request = order(outlet, "mini_statement", { amount: "0" });
  const statement = await other.send(request);
  expect(statement).toMatchObject({ kind: "succeeded" });
  expect(statement.kind === "succeeded" ? statement.result?.["entries"] : []).toHaveLength(5);
  expect(await other.ask(request)).toEqual(statement);
});

test.each([
  ["cash_withdrawal", "000", "succeeded", "succeeded"],
  ["aadhaar_pay", "000", "succeeded", "succeeded"],
  ["cash_withdrawal", "102", "declined", "reversed"],
  ["cash_withdrawal", "200", "pending", "succeeded"],
  ["aadhaar_pay", "202", "pending", "reversed"],
])("%s of a customer whose mobile ends in %s is %s and later %s", async (operation, digits, first, last) => {
  const outlet = await readyOutlet();
  const request = order(outlet, operation, { target: `9876543${digits}` });
  expect((await other.send(request)).kind).toBe(first);
  expect((await settled(other, request)).kind).toBe(last);
});

test("a bank that wants its own authentication gets the reference of one", async () => {
  const outlet = await readyOutlet();
  const customer = newAadhaar();
  const details = { bank_iin: PER_TRANSACTION_BANK, aadhaar: customer };
  expect(await other.send(order(outlet, "cash_withdrawal", { details }))).toMatchObject({
    kind: "declined",
    reason: expect.stringMatching(/txn_auth_required/),
  });
  const given = { ...authentication(outlet), type: "TXN" as const, aadhaar: customer, bank_iin: PER_TRANSACTION_BANK };
  const { auth_ref } = await other.answer("aeps.authenticate", given);
  expect(await other.send(order(outlet, "cash_withdrawal", { details: { ...details, auth_ref } }))).toMatchObject({ kind: "succeeded" });
});

test("what the bank or the outlet does not allow is declined with its reason", async () => {
  const outlet = await readyOutlet();
  expect(await other.send(order(outlet, "cash_withdrawal", { amount: "510" }))).toMatchObject({ failure: "amount_not_accepted" });
  expect(await other.send(order(outlet, "cash_withdrawal", { details: { aadhaar: "123456789012" } }))).toMatchObject({
    ...{ kind: "declined", decline: "final", failure: "number_not_valid" },
  });
  const unready = await newOutlet();
  expect(await other.send(order(unready, "cash_withdrawal"))).toMatchObject({ kind: "declined", decline: "provider" });
  expect(await other.send(newOrder({ service: "aeps", operation: "cash_withdrawal" }))).toMatchObject({ kind: "not_sent", fault: "order" });
});

test("every exchange is kept as evidence, without the Aadhaar number, the capture or our secrets", async () => {
  const outlet = await readyOutlet();
  const request = order(outlet, "cash_withdrawal");
  const kept: ProviderExchange[] = [];
  await other.connector.send(request, NEVER, (one) => kept.push(one));
  await other.connector.ask(request, NEVER, (one) => kept.push(one));
  await other.connector.query("aeps.authenticate", authentication(outlet), NEVER, (one) => kept.push(one));
  expect(kept.map((one) => one.operation)).toEqual(["aeps.cash_withdrawal", "aeps.cash_withdrawal.status", "aeps.authenticate"]);
  const text = kept.map((one) => `${one.request}\n${one.reply}`).join("\n");
  expect(text).toContain(request.reference);
  const { token, signingSecret } = other.account.credentials;
  for (const secret of [String(request.details?.["aadhaar"]), outlet.owner, "c2VjcmV0IGZpbmdlcg", token, signingSecret])
    expect(text).not.toContain(secret);
});
