import { expect, test } from "vitest";
import type { Heard, Reply } from "../description/testing/provider.ts";
import { NEVER, providerRequest } from "../testing/requests.ts";
import { answeringProvider } from "./testing/answering-provider.ts";
import { SETU } from "./testing/setu.ts";
import { connectTwin, shippedSuite } from "./testing/shipped-suite.ts";

const FETCH_REF = "CE9U2F9RHQPJICM8SC0G87SZTUR23440700";
const COMMON = {
  ...{
    params: { "Loan Number": "LN1234567" },
    customer_mobile: "9812345678",
    bill_number: "6335383640061391882",
    customer_name: "Asha Rao",
  },
  ...{ bill_date: "2023-07-17", due_date: "2023-07-30", payment_mode: "Wallet", payer_name: "Ravi Kumar" },
};
const FETCHED = {
  ...{ service: "bills", operator: "ADIT00000NAT0T", target: "LN1234567", amount: "7952" },
  details: { ...COMMON, fetch_ref: "OURFETCH1", fetch_provider_ref: FETCH_REF },
};
const DIRECT = { ...FETCHED, details: { ...COMMON, fetch_provider_ref: "", payer_pan: "ABCDE1234F" } };
const FETCH = {
  ...{ reference: "OURFETCH1", biller_id: "ADIT00000NAT0T", params: { "Loan Number": "LN1234567" }, customer_mobile: "9812345678" },
  ...{ created_at: Date.UTC(2026, 0, 31), provider_ref: "" },
};
const COMPLAINT = { complaint_ref: "CVEJET77GM8365VO5HRGtokm7MX50801525", reference: "REF1", provider_ref: "P1" };

shippedSuite({
  ...SETU,
  transactions: { "bills.pay": FETCHED },
  queries: {
    "bills.billers": {
      input: {},
      value: {
        billers: [
          {
            ...{ biller_id: "ADIT00000NAT0T", flow: "fetch", exactness: "exact_up", min_amount: "1", max_amount: "49999", active: true },
            ...{ payment_modes: ["Wallet"], params: [{ name: "Loan Number", pattern: "^[A-Z0-9]{7,12}$", optional: false }] },
          },
        ],
      },
    },
    "bills.fetch": { input: FETCH, value: { status: "found", bills: [{ amount: "7952", customer_name: "Aiden Anderson" }] } },
    "bills.fetch_status": { input: { ...FETCH, provider_ref: FETCH_REF }, value: { status: "found", bills: [{ amount: "7952" }] } },
    "complaints.raise": {
      input: {
        ...{ reference: "REF1", provider_ref: "P1", operator_ref: "AS0123440705054WJCMM", service: "bills", amount: "7952" },
        ...{ created_at: Date.UTC(2026, 0, 31), reason: "not_credited", description: "Paid, but the account is not updated." },
      },
      value: { complaint_ref: COMPLAINT.complaint_ref },
    },
    "complaints.status": { input: COMPLAINT, value: { status: "open", reason: "Belongs to BOU" } },
  },
});

const said = (data: object): Reply => ({ body: { success: true, traceId: "T1", data } });

/** A provider that logs us in and answers other calls by what follows /api/v2/bbps. */
const connectSetu = (answers: Readonly<Record<string, (call: Heard) => Reply>>) =>
  answeringProvider(SETU, (call) => {
    if (call.path === "/api/v2/auth/token") return { body: { success: true, token: "token-1", expiresIn: 600 } };
    return (
      answers[call.path.replace("/api/v2/bbps", "")]?.(call) ?? {
        status: 500,
        body: { success: false, error: { code: "internal-error", message: "Internal error." } },
      }
    );
  });
const PAY = "/bills/payment/request";
const RESULT = "/bills/payment/response";

test("the bill that was fetched is paid by its reference, in paise, from the wallet", async () => {
  const { connector, heard } = await connectSetu({
    [PAY]: () => said({ refId: FETCH_REF }),
    [RESULT]: () => said({ status: "Processing" }),
  });
  const sent = providerRequest({ ...FETCHED, createdAt: Date.UTC(2026, 0, 31, 6, 30) });
  expect(await connector.send(sent, NEVER)).toMatchObject({ kind: "pending", providerRef: FETCH_REF });
  const [login, pay, result] = heard;
  expect(JSON.parse(login?.body ?? "")).toEqual({ clientID: SETU.secrets.client_id, secret: SETU.secrets.client_secret });
  expect(login?.headers).not.toHaveProperty("x-partner-id");
  expect(pay).toMatchObject({ method: "POST", headers: { authorization: "Bearer token-1", "x-partner-id": "7785031" } });
  expect(JSON.parse(pay?.body ?? "")).toEqual({
    refId: FETCH_REF,
    paymentDetails: {
      ...{ amount: 795200, mode: "Wallet", paymentRefId: sent.reference, timestamp: "2026-01-31T12:00:00+05:30" },
      accountInfo: "Rupayo Wallet|9812345678",
    },
    remitter: { name: "Ravi Kumar" },
  });
  expect(JSON.parse(result?.body ?? "")).toEqual({ refId: FETCH_REF });
});

test("a direct payment names agent, biller and customer, and no fetch", async () => {
  const { connector, heard } = await connectSetu({ [PAY]: () => said({ refId: "NEW1" }), [RESULT]: () => said({ status: "Processing" }) });
  expect(await connector.send(providerRequest(DIRECT), NEVER)).toMatchObject({ kind: "pending", providerRef: "NEW1" });
  const body = JSON.parse(heard[1]?.body ?? "");
  expect(body).not.toHaveProperty("refId");
  expect(body).toMatchObject({
    agent: { id: "AX01AX26INBU00000001", channel: "INT", ip: "124.170.23.24", mac: "48-4D-7E-CB-DB-6F" },
    biller: { id: "ADIT00000NAT0T" },
    customer: { mobile: "9812345678", customerParams: [{ name: "Loan Number", value: "LN1234567" }] },
    remitter: { name: "Ravi Kumar", pan: "ABCDE1234F" },
  });
  expect(JSON.parse(heard[2]?.body ?? "")).toEqual({ refId: "NEW1" });
});

const failure = (code: string) => said({ status: "Failure", failureReason: { code, message: "words", type: "BBPS" } });
const refusal = (status: number, code: string): Reply => ({ status, body: { success: false, error: { code, message: "words" } } });

test.each([
  ["a failure of the customer", failure("ERR004"), { kind: "declined", decline: "final", failure: "number_not_valid" }],
  ["a failure of the biller", failure("BRR005"), { kind: "declined", failure: "declined" }],
  ["a failure for lack of money", failure("insufficient-balance"), { kind: "declined", decline: "float" }],
  ["a failure that could not be confirmed", failure("npci-connectivity-timeout"), { kind: "unknown" }],
  ["a failure without a reason", said({ status: "Failure" }), { kind: "unknown" }],
  ["a credit adjustment", said({ status: "Credit_Adjustment" }), { kind: "unknown" }],
  ["a success without our reference", said({ status: "Success", transactionId: "AS1" }), { kind: "unknown" }],
  ["another reference", said({ status: "Success", transactionId: "AS1", paymentDetails: { paymentRefId: "X" } }), { kind: "unknown" }],
  ["an error of the enquiry", refusal(400, "invalid-ref-id"), { kind: "unknown" }],
])("%s after the payment was accepted is read correctly", async (_, answer, expected) => {
  const { connector } = await connectSetu({ [PAY]: () => said({ refId: FETCH_REF }), [RESULT]: () => answer });
  expect(await connector.send(providerRequest(FETCHED), NEVER)).toMatchObject(expected);
});

test.each([
  [400, "invalid-customer-param", { kind: "declined", decline: "final" }],
  [400, "invalid-amount", { kind: "declined", failure: "amount_not_accepted" }],
  [400, "insufficient-funds", { kind: "declined", decline: "float" }],
  [400, "invalid-agent", { kind: "declined" }],
  [400, "something-else", { kind: "unknown" }],
  [500, "internal-error", { kind: "unknown" }],
] as const)("a payment that is answered HTTP %i %s is read correctly", async (http, code, expected) => {
  const { connector, heard } = await connectSetu({ [PAY]: () => refusal(http, code) });
  expect(await connector.send(providerRequest(FETCHED), NEVER)).toMatchObject(expected);
  expect(heard.filter(({ path }) => path.endsWith(RESULT))).toEqual([]);
});

test("a payment that Setu knows already is pending under Setu's reference", async () => {
  const duplicate = { code: "duplicate-ref-id", message: "words", refId: FETCH_REF };
  const { connector } = await connectSetu({
    [PAY]: () => ({ status: 409, body: { success: true, data: { refId: FETCH_REF, duplicate } } }),
  });
  expect(await connector.send(providerRequest(FETCHED), NEVER)).toMatchObject({ kind: "pending", providerRef: FETCH_REF });
});

test("a direct payment whose answer was lost is looked for in the list of its day, and is never declared not found", async () => {
  const sent = providerRequest({ ...DIRECT, createdAt: Date.UTC(2026, 0, 31, 20, 0) });
  const row = { status: "Success", transactionId: "AS01", refId: "NEW1", paymentRefId: sent.reference };
  let rows: readonly object[] = [{ ...row, paymentRefId: "OTHER" }, row];
  const { connector, heard } = await connectSetu({ "/transactions": () => said({ transactions: rows }) });
  expect(await connector.ask(sent, NEVER)).toMatchObject({ kind: "succeeded", operatorRef: "AS01", providerRef: "NEW1" });
  expect(String(heard.at(-1)?.query)).toBe("startDate=2026-02-01&endDate=2026-02-01&billerId=ADIT00000NAT0T");
  rows = [{ ...row, status: "Error" }];
  expect(await connector.ask(sent, NEVER)).toMatchObject({ kind: "declined" });
  rows = [];
  expect(await connector.ask(sent, NEVER)).toMatchObject({ kind: "unknown" });
});

test("billers come page by page, and those that cannot be paid this way are left out", async () => {
  const biller = (id: string, more: object = {}) => ({
    ...{ id, name: id, categoryName: "dth", status: "ACTIVE", fetchApiType: "BILL_DIRECT", exactness: "Any", responseType: "SINGLE" },
    customerParams: [{ paramName: "Number", regex: "", optional: false }],
    paymentModes: [{ paymentMode: "Wallet", minLimit: null, maxLimit: null }],
    paymentChannels: [{ paymentChannel: "INT" }],
    ...more,
  });
  const first = [
    biller("ONE"),
    biller("MANDATE", { fetchApiType: "BILL_MANDATE" }),
    biller("CARDS", { paymentModes: [{ paymentMode: "Credit Card" }] }),
    biller("BRANCH", { paymentChannels: [{ paymentChannel: "BNKBRNCH" }] }),
    biller("GONE", { status: "DEACTIVATED" }),
    biller("BARE", { customerParams: [] }),
  ];
  const { connector, heard } = await connectSetu({
    "/billers": ({ query }) =>
      query.get("after") === "BARE"
        ? said({ billers: [biller("MANY", { responseType: "LIST" })], total: 7 })
        : said({ billers: first, total: 7, nextPage: "/api/bbps/billers?limit=250&after=BARE" }),
  });
  const listed = await connector.query("bills.billers", {}, NEVER);
  expect(listed).toMatchObject({
    value: {
      billers: [
        { biller_id: "ONE", active: true, flow: "direct" },
        { biller_id: "MANY", active: false },
      ],
    },
  });
  expect(heard.slice(1).map(({ query }) => String(query))).toEqual(["limit=250", "limit=250&after=BARE"]);
});

test("a fetch is pending while Setu processes it, and no bill due is told apart from a failure", async () => {
  let answer: object = { refId: "F1", status: "Processing" };
  const { connector } = await connectSetu({
    "/bills/fetch/request": () => said({ refId: "F1" }),
    "/bills/fetch/response": () => said(answer),
  });
  expect(await connector.query("bills.fetch", FETCH, NEVER)).toMatchObject({ value: { status: "pending", provider_ref: "F1", bills: [] } });
  const asked = { ...FETCH, provider_ref: "F1" };
  answer = { refId: "F1", status: "Failure", failureReason: { code: "X", message: "No Bill Due for this customer" } };
  expect(await connector.query("bills.fetch_status", asked, NEVER)).toMatchObject({ kind: "refused", code: "no_bill_due" });
  answer = { refId: "F1", status: "Failure", failureReason: { code: "ERR004", message: "customer not found" } };
  expect(await connector.query("bills.fetch_status", asked, NEVER)).toEqual({ kind: "refused", reason: "customer not found" });
});

test.each([
  ["REFUNDED", "refunded"],
  ["REJECTED", "resolved"],
  ["RESOLVED", "open"],
  ["PENDING_REFUND", "open"],
] as const)("a complaint with the status %s is %s", async (status, expected) => {
  const { connector } = await connectSetu({ "/bills/complaint/response": () => said({ status }) });
  expect(await connector.query("complaints.status", COMPLAINT, NEVER)).toMatchObject({ value: { status: expected } });
});

test("a callback is not proved, so it only makes us ask", async () => {
  const { connector } = await connectTwin(SETU);
  const message = (path: string) => ({
    ...{ method: "POST", path, source: "203.0.113.9", query: {}, headers: {} },
    body: JSON.stringify({ event: "BILL_PAY", data: { refId: "P1", status: "Success", paymentDetails: { paymentRefId: "REF1" } } }),
  });
  expect(connector.readCallback?.(message("/bills/payment/response"))).toEqual({ reference: "REF1", finding: { kind: "ask" } });
  expect(connector.readCallback?.(message("/bills/fetch/response"))).toMatchObject({ refused: "not_expected" });
});
