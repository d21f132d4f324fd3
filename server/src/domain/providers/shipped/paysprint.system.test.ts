import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import type { ProviderMessage } from "../connector.ts";
import { formatReference } from "../references.ts";
import { canServe } from "../settings/capabilities.ts";
import { defined } from "../testing/definitions.ts";
import { NEVER, providerRequest } from "../testing/requests.ts";
import { answeringProvider } from "./testing/answering-provider.ts";
import { BILL_FETCH, PAYSPRINT } from "./testing/paysprint.ts";
import { connectTwin, readShippedFile, shippedSuite } from "./testing/shipped-suite.ts";

shippedSuite(PAYSPRINT);

const { secrets, transactions } = PAYSPRINT;

test("recharges, bills, transfers and AEPS can be routed to it, bus cannot", () => {
  const provider = { provider: "paysprint", connector: "description", settings: readShippedFile("paysprint") } as const;
  const served = ["recharge", "bills", "transfers", "bus", "aeps"].filter((service) => canServe(provider, service, "*"));
  expect(served).toEqual(["recharge", "bills", "transfers", "aeps"]);
});

test("every call has a token of its own: HS256 with the key as it is, seconds, the partner and a new request id", async () => {
  const { connector, heard } = await answeringProvider(PAYSPRINT, () => ({ body: { status: true, response_code: 1, wallet: "12.50" } }));
  const before = Math.floor(Date.now() / 1000);
  expect(await connector.query("balance", {}, NEVER)).toEqual({ kind: "answered", value: { balance: "12.5" } });
  await connector.query("balance", {}, NEVER);
  const claims = heard.map(({ path, headers }) => {
    expect({ path, key: headers["authorisedkey"], type: headers["content-type"], accept: headers["accept"] }).toEqual({
      path: "/api/v1/service/balance/balance/mainbalance",
      key: secrets["authorised_key"],
      type: "application/json",
      accept: "application/json",
    });
    const [header = "", payload = "", signature] = String(headers["token"]).split(".");
    expect(Buffer.from(header, "base64url").toString()).toBe('{"typ":"JWT","alg":"HS256"}');
    expect(signature).toBe(
      createHmac("sha256", secrets["jwt_key"] ?? "")
        .update(`${header}.${payload}`)
        .digest("base64url"),
    );
    return JSON.parse(Buffer.from(payload, "base64url").toString());
  });
  for (const one of claims)
    expect(one).toEqual({ timestamp: one.timestamp, partnerId: "PS009988", reqid: expect.stringMatching(/^[0-9]{15}$/) });
  expect(claims[0].timestamp).toBeGreaterThanOrEqual(before);
  expect(claims[0].timestamp).toBeLessThan(before + 60);
  expect(claims[0].reqid).not.toBe(claims[1].reqid);
});

test("references have fifteen digits, the day first", () => {
  const { reference } = defined(readShippedFile("paysprint"));
  if (!reference) throw new Error("The description says nothing about references.");
  expect(formatReference(reference, 4711n, Date.UTC(2026, 2, 5))).toBe("260305000004711");
});

const no = (code: number, message = "No") => ({ status: false, response_code: code, message });
const done = { status: true, response_code: 1, ackno: 1739594884, operatorid: "OP1", refid: "REF", message: "is successful." };
const sent = { status: true, response_code: 1, ackno: "109649", utr: "204012199354", txn_status: 1 };

test.each<readonly ["recharge.pay" | "bills.pay" | "transfers.send", number, unknown, object]>([
  ["recharge.pay", 200, done, { kind: "succeeded", operatorRef: "OP1", providerRef: "1739594884" }],
  ["recharge.pay", 200, { ...done, refid: "OTHER" }, { kind: "unknown" }],
  ["recharge.pay", 200, { ...done, operatorid: "" }, { kind: "unknown" }],
  ["recharge.pay", 200, { ...done, status: false }, { kind: "unknown" }],
  ["recharge.pay", 402, no(16), { kind: "declined", decline: "float" }],
  ["recharge.pay", 200, no(0), { kind: "pending" }],
  ["recharge.pay", 200, no(2), { kind: "pending" }],
  ["recharge.pay", 200, no(18), { kind: "unknown" }],
  ["recharge.pay", 200, no(9), { kind: "unknown" }],
  ["recharge.pay", 401, "This application is not available in your region", { kind: "unknown", fault: "credentials" }],
  ["bills.pay", 200, no(18, "Duplicate transaction"), { kind: "unknown" }],
  ["bills.pay", 200, no(16), { kind: "declined", decline: "float" }],
  ["transfers.send", 200, sent, { kind: "succeeded", operatorRef: "204012199354", providerRef: "109649" }],
  ["transfers.send", 200, { ...sent, txn_status: 0 }, { kind: "declined" }],
  ["transfers.send", 200, { ...sent, txn_status: 4 }, { kind: "pending", providerRef: "109649" }],
  ["transfers.send", 200, { ...sent, txn_status: 5 }, { kind: "pending" }],
  ["transfers.send", 200, { ...sent, txn_status: 7 }, { kind: "unknown" }],
  ["transfers.send", 200, { status: true, response_code: 6 }, { kind: "pending" }],
  ["transfers.send", 401, no(13), { kind: "declined", decline: "float" }],
  ["transfers.send", 401, no(11), { kind: "declined", decline: "final", failure: "limit_reached" }],
  ["transfers.send", 406, no(16), { kind: "declined", decline: "final", failure: "number_not_valid" }],
  ["transfers.send", 406, no(19), { kind: "unknown" }],
  ["transfers.send", 401, no(3), { kind: "unknown" }],
])("%s with HTTP %i and %j is read as %j", async (name, http, body, expected) => {
  const { connector } = await answeringProvider(PAYSPRINT, () => ({ status: http, body }));
  expect(await connector.send(providerRequest({ ...transactions[name], reference: "REF" }), NEVER)).toMatchObject(expected);
});

const record = { txnid: "1739594884", status: "1", refid: "REF", operatorid: "OP1", refunded: "0" };
const enquired = (data: object) => ({ responsecode: 1, status: true, data: { ...record, ...data } });

test.each<readonly ["recharge.pay" | "transfers.send", unknown, string]>([
  ["recharge.pay", enquired({}), "succeeded"],
  ["recharge.pay", enquired({ refid: "OTHER" }), "unknown"],
  ["recharge.pay", enquired({ refunded: "1" }), "unknown"],
  ["recharge.pay", enquired({ status: "0", refunded: "1" }), "reversed"],
  ["recharge.pay", enquired({ status: "0" }), "pending"],
  ["recharge.pay", enquired({ status: "3" }), "pending"],
  ["recharge.pay", no(2, "No Transaction found"), "not_found"],
  ["recharge.pay", no(2, "Authentication failed"), "unknown"],
  ["transfers.send", sent, "succeeded"],
  ["transfers.send", { ...sent, txn_status: 0 }, "reversed"],
  ["transfers.send", { ...sent, txn_status: 5 }, "pending"],
  ["transfers.send", no(2, "No record found."), "not_found"],
])("the status of %s with %j is %s", async (name, body, expected) => {
  const { connector } = await answeringProvider(PAYSPRINT, () => ({ body }));
  expect((await connector.ask(providerRequest({ ...transactions[name], reference: "REF" }), NEVER)).kind).toBe(expected);
});

test("the fetched bill goes back as it came, and the customer's parameters under their own names", async () => {
  const fetched = { status: true, response_code: 1, amount: "7919.0", bill_fetch: JSON.parse(BILL_FETCH) };
  const { connector, heard } = await answeringProvider(PAYSPRINT, ({ path }) => ({ body: path.endsWith("fetchbill") ? fetched : done }));
  const input = {
    reference: "F",
    biller_id: "11",
    params: { canumber: "1", ad1: "2" },
    customer_mobile: "9",
    created_at: 0,
    provider_ref: "",
  };
  const found = await connector.query("bills.fetch", input, NEVER);
  expect(found).toMatchObject({ kind: "answered", value: { provider_ref: BILL_FETCH } });
  expect(JSON.parse(heard[0]?.body ?? "")).toEqual({ operator: "11", canumber: "1", ad1: "2", mode: "online" });
  await connector.send(providerRequest({ ...transactions["bills.pay"], reference: "REF" }), NEVER);
  expect(JSON.parse(heard[1]?.body ?? "")).toEqual({
    operator: "11",
    canumber: "102277100",
    ad1: "9876543000",
    amount: "7919",
    referenceid: "REF",
    latitude: "28.61393",
    longitude: "77.20902",
    mode: "online",
    bill_fetch: JSON.parse(BILL_FETCH),
  });
});

test("a sender that PaySprint knows is verified, a wrong password is told apart, and a bank without an id is not asked for", async () => {
  const known = await answeringProvider(PAYSPRINT, () => ({ body: { status: true, response_code: 1, data: { mobile: "9" } } }));
  const sender = { mobile: "9876543000", first_name: "Asha", last_name: "", pincode: "400001", latitude: "", longitude: "" };
  expect(await known.connector.query("transfers.sender.register", sender, NEVER)).toMatchObject({ value: { status: "VERIFIED" } });
  const wrong = await answeringProvider(PAYSPRINT, () => ({ body: no(3, "Invalid OTP") }));
  expect(await wrong.connector.query("transfers.sender.verify", { ...sender, otp: "1", otp_ref: "s" }, NEVER)).toMatchObject({
    kind: "refused",
    code: "otp_invalid",
  });
  const { connector, heard } = wrong;
  const account = { sender: "9876543000", name: "Ravi", account: "123456789012", mobile: "" };
  const unlisted = await connector.query("transfers.beneficiary.add", { ...account, ifsc: "ZZZZ0000001" }, NEVER);
  expect({ kind: unlisted.kind, calls: heard.length }).toEqual({ kind: "unavailable", calls: 1 });
  await connector.query("transfers.beneficiary.add", { ...account, ifsc: "HDFC0000001" }, NEVER);
  expect(JSON.parse(heard[1]?.body ?? "")).toMatchObject({ bankid: "309", ifsccode: "HDFC0000001", pincode: "110001" });
});

test("the listed banks are those that beneficiaries can be added for", async () => {
  const { connector } = await connectTwin(PAYSPRINT);
  const listed = await connector.query("transfers.banks", {}, NEVER);
  const banks = listed.kind === "answered" ? listed.value.banks.map(({ bank }) => bank) : [];
  expect(banks).toEqual(Object.keys(defined(readShippedFile("paysprint")).codes["banks"]?.values ?? {}));
});

const message = (body: object): ProviderMessage => ({
  method: "POST",
  path: "",
  source: "",
  query: {},
  headers: {},
  body: JSON.stringify(body),
});

test("a callback only makes us ask, whatever it claims, and is answered in PaySprint's form", async () => {
  const { connector } = await connectTwin(PAYSPRINT);
  const read = (body: object) => connector.readCallback?.(message(body));
  const ask = (reference: string) => ({ reference, finding: { kind: "ask" } });
  expect(read({ event: "RECHARGE_SUCCESS", param: { referenceid: "R1", operatorid: "OP" }, param_enc: "forged" })).toEqual(ask("R1"));
  expect(read({ event: "DMT", param: { refid: "R2", status: "1" } })).toEqual(ask("R2"));
  expect(read({ event: "MERCHANT_ONBOARDING", param: { merchant_id: "A1", request_id: "322432", amount: "10" } })).toEqual(ask("322432"));
  expect(read({ event: "OTHER", param: {} })).toMatchObject({ refused: "no_reference" });
  expect(JSON.parse(connector.callbackReply?.(message({})).body ?? "")).toEqual({
    status: 200,
    message: "Transaction completed successfully",
  });
});
