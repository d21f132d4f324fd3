import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { formatMoney } from "../../../platform/core/money.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { canServe, missingFor } from "../settings/capabilities.ts";
import { NEVER, providerRequest } from "../testing/requests.ts";
import { answeringProvider } from "./testing/answering-provider.ts";
import { CASHFREE, CASHFREE_WITH_MESSAGES } from "./testing/cashfree.ts";
import { connectTwin, settingsOf, shippedSuite } from "./testing/shipped-suite.ts";

const TRANSFER = {
  service: "transfers",
  operator: "SBIN",
  target: "XXXXXX4321",
  amount: "2500.5",
  details: {
    ...{ mode: "IMPS", account: "1234554321", ifsc: "SBIN0001161", beneficiary_ref: "", beneficiary_name: "Asha R. Rao" },
    ...{ beneficiary_mobile: "9876543210", sender_mobile: "9812345678", sender_name: "Ravi Kumar", sender_pincode: "400001" },
  },
};

shippedSuite({
  ...CASHFREE,
  transactions: { "transfers.send": TRANSFER },
  queries: { balance: { input: {}, value: { balance: "173980.5" } } },
});

test("a transfer carries the account, our reference and the keys, and nothing about the sender", async () => {
  const { connector, heard } = await answeringProvider(CASHFREE, () => ({ body: { status: "RECEIVED", cf_transfer_id: "123456" } }));
  const sent = providerRequest(TRANSFER);
  expect(await connector.send(sent, NEVER)).toMatchObject({ kind: "pending", providerRef: "123456" });
  const keys = { "x-client-id": "cf-client-4471", "x-client-secret": "cf-secret-8823", "x-api-version": "2024-01-01" };
  expect(heard[0]).toMatchObject({ method: "POST", path: "/payout/transfers", headers: keys });
  expect(JSON.parse(heard[0]?.body ?? "")).toEqual({
    transfer_id: sent.reference,
    transfer_amount: 2500.5,
    transfer_currency: "INR",
    transfer_mode: "imps",
    beneficiary_details: {
      beneficiary_name: "Asha R Rao",
      beneficiary_instrument_details: { bank_account_number: "1234554321", bank_ifsc: "SBIN0001161" },
    },
  });
  await connector.ask(sent, NEVER);
  expect(heard[1]).toMatchObject({ method: "GET", path: "/payout/transfers", headers: keys });
  expect(heard[1]?.query.get("transfer_id")).toBe(sent.reference);
});

const INVALID = "beneficiary_details.beneficiary_instrument_details.bank_ifsc_invalid";

test.each([
  [200, { status: "SUCCESS", status_code: "COMPLETED" }, { kind: "unknown" }],
  [200, { status: "SUCCESS", status_code: "SCHEDULED_FOR_NEXT_WORKINGDAY", transfer_utr: "U1" }, { kind: "unknown" }],
  [200, { status: "QUEUED", status_code: "QUEUED" }, { kind: "pending" }],
  [200, { status: "APPROVAL_PENDING", status_code: "VELOCITY_CHECK_FAILED" }, { kind: "pending" }],
  [200, { status: "FAILED", status_code: "INSUFFICIENT_BALANCE" }, { kind: "declined", decline: "float" }],
  [200, { status: "FAILED", status_code: "ACCOUNT_BLOCKED" }, { kind: "declined", decline: "final", failure: "customer_blocked" }],
  [200, { status: "REJECTED", status_code: "INVALID_BENE_ACCOUNT_OR_IFSC" }, { kind: "declined", decline: "final" }],
  [200, { status: "MANUALLY_REJECTED", status_code: "MANUALLY_REJECTED" }, { kind: "declined" }],
  [400, { type: "invalid_request_error", code: INVALID }, { kind: "declined", decline: "final", failure: "number_not_valid" }],
  [400, { type: "invalid_request_error", code: "transfer_id_already_exists" }, { kind: "unknown" }],
  [409, { type: "invalid_request_error", code: "transfer_id_already_exists" }, { kind: "unknown" }],
  [429, {}, { kind: "declined", decline: "busy" }],
  [500, { type: "authentication_error", code: "internal_server_error" }, { kind: "unknown" }],
] as const)("HTTP %i with %o is read correctly", async (http, said, expected) => {
  const sent = providerRequest(TRANSFER);
  const { connector } = await answeringProvider(CASHFREE, () => ({ status: http, body: { transfer_id: sent.reference, ...said } }));
  expect(await connector.send(sent, NEVER)).toMatchObject(expected);
});

test("a success is asked for again after a day, and a reversal takes it back", async () => {
  const sent = providerRequest(TRANSFER);
  let status = "SUCCESS";
  let amount = formatMoney(sent.amount);
  const { connector } = await answeringProvider(CASHFREE, () => ({
    body: {
      ...{ transfer_id: sent.reference, cf_transfer_id: "7", transfer_amount: Number(amount) },
      ...{ status, status_code: "SENT_TO_BENEFICIARY", transfer_utr: "UTR9" },
    },
  }));
  const outcome = await connector.send(sent, NEVER);
  expect(outcome).toMatchObject({ kind: "succeeded", operatorRef: "UTR9" });
  const days = ((outcome.kind === "succeeded" ? outcome.recheckAt : undefined) ?? 0) - Date.now();
  expect(Math.round(days / 3_600_000)).toBe(24);
  status = "REVERSED";
  expect(await connector.ask(sent, NEVER)).toMatchObject({ kind: "reversed" });
  status = "SUCCESS";
  amount = "1";
  expect(await connector.ask(sent, NEVER)).toMatchObject({
    kind: "unknown",
    why: expect.stringContaining('transfer_amount is "1" instead'),
  });
});

test("a webhook counts only with the signature of its timestamp and body", async () => {
  const { connector } = await connectTwin(CASHFREE);
  const said = { transfer_id: "REF1", status: "SUCCESS", status_code: "COMPLETED", transfer_utr: "UTR9" };
  const body = JSON.stringify({ data: said, event_time: "2024-07-25T17:43:37", type: "TRANSFER_ACKNOWLEDGED" });
  const time = "1746427759733";
  const signature = createHmac("sha256", CASHFREE.secrets.client_secret).update(time).update(body).digest("base64");
  const message = (text: string, at: string, key: string) => ({
    ...{ method: "POST", path: "", source: "203.0.113.9", query: {}, body: text },
    headers: { "x-webhook-timestamp": at, "x-webhook-signature": key },
  });
  expect(connector.readCallback?.(message(body, time, signature))).toMatchObject({
    reference: "REF1",
    finding: { kind: "succeeded", operatorRef: "UTR9" },
  });
  for (const forged of [
    message(body.replace("REF1", "REF2"), time, signature),
    message(body, "1746427759734", signature),
    message(body, time, Buffer.from(signature, "base64").toString("hex")),
  ])
    expect(connector.readCallback?.(forged)).toMatchObject({ refused: "wrong_key" });
});

test("transfers can be routed to it once it says who sends one-time passwords", () => {
  const provider = (settings: JsonObject) => ({ provider: "cashfree", connector: "description", settings }) as const;
  const alone = provider(settingsOf(CASHFREE));
  expect(canServe(alone, "transfers", "*")).toBe(false);
  expect(missingFor(alone, "transfers")).toEqual(["transfers.sender.register and transfers.sender.verify, or otp.send"]);
  expect(canServe(provider(settingsOf(CASHFREE_WITH_MESSAGES)), "transfers", "*")).toBe(true);
});

test("the gateway for messages gets the code, and no key of Cashfree", async () => {
  const { connector, heard } = await answeringProvider(CASHFREE_WITH_MESSAGES, () => ({ body: { status: "queued" } }));
  const input = { mobile: "9812345678", code: "042137", purpose: "transfers/sender" };
  expect(await connector.query("otp.send", input, NEVER)).toMatchObject({ kind: "answered" });
  expect(heard[0]).toMatchObject({ path: "/v1/messages", headers: { authorization: "Bearer sms-key-5512" } });
  expect(JSON.parse(heard[0]?.body ?? "")).toMatchObject({ to: "919812345678", text: expect.stringContaining("042137") });
  for (const key of Object.values(CASHFREE.secrets)) expect(JSON.stringify(heard)).not.toContain(key);
});
