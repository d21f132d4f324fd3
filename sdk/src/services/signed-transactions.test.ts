import { afterAll, beforeAll, expect, test } from "vitest";
import { type ContractServer, contractServer } from "../../testing/contract-server.js";
import { bench, SECRET, TOKEN } from "../../testing/scripted-fetch.js";
import { Corprail } from "../corprail.js";
import { NoAnswerError, RefusedError } from "../errors.js";
import type { Outcome } from "../outcome.js";

let server: ContractServer;
let corprail: Corprail;
beforeAll(async () => {
  server = await contractServer();
  corprail = new Corprail({ baseUrl: server.url, token: TOKEN, signingSecret: SECRET });
});
afterAll(() => server.close());

const AEPS = {
  requestId: "R-1",
  outletId: "OUT1",
  customerMobile: "9876543210",
  bankIin: "607152",
  aadhaarEnc: "e30=",
  pid: "<PidData/>",
  latitude: "12.9",
  longitude: "77.5",
  consent: "Y",
} as const;
const MONEY = { ...AEPS, amount: "500.00" } as const;
const PAY = { requestId: "R-1", fetchRef: "FR1", amount: "500.00", paymentMode: "UPI", payerName: "Asha" } as const;

type Made = Promise<Outcome<unknown, "due" | "not_due">>;
type Row = {
  readonly path: string;
  readonly lookup: string;
  readonly block: string;
  readonly refund: "due" | "not_due";
  readonly create: (client: Corprail) => Made;
  readonly get: (client: Corprail) => Made;
};

const KINDS: readonly Row[] = [
  {
    path: "/bills/pay",
    lookup: "/bills/pay",
    block: "bill",
    refund: "due",
    create: (client) => client.bills.pay(PAY),
    get: (client) => client.bills.getPayment({ requestId: "R-1" }),
  },
  {
    path: "/transfers",
    lookup: "/transfers",
    block: "transfer",
    refund: "due",
    create: (client) => client.transfers.create({ requestId: "R-1", transferRef: "TR1", otp: "111000" }),
    get: (client) => client.transfers.get({ requestId: "R-1" }),
  },
  {
    path: "/bus/book",
    lookup: "/bus/book",
    block: "ticket",
    refund: "due",
    create: (client) => client.bus.book({ requestId: "R-1", blockRef: "BL1", amount: "500.00" }),
    get: (client) => client.bus.getBooking({ requestId: "R-1" }),
  },
  ...(["balance_enquiry", "mini_statement", "cash_withdrawal", "aadhaar_pay"] as const).map((kind): Row => {
    const calls = {
      balance_enquiry: (client: Corprail) => client.aeps.balanceEnquiry(AEPS),
      mini_statement: (client: Corprail) => client.aeps.miniStatement(AEPS),
      cash_withdrawal: (client: Corprail) => client.aeps.cashWithdrawal(MONEY),
      aadhaar_pay: (client: Corprail) => client.aeps.aadhaarPay(MONEY),
    };
    const get = (client: Corprail) => client.aeps.getTransaction({ requestId: "R-1" });
    return { path: `/aeps/${kind}`, lookup: "/aeps/transactions", block: "aeps", refund: "not_due", create: calls[kind], get };
  }),
];

function order(row: Row, status: string, more: object = {}): object {
  return {
    ok: true,
    status,
    code: 0,
    order_id: "01JXQ0A1B2C3D4E5F6",
    urid: "R-1",
    request_id: "R-1",
    operator_ref: null,
    amount: "500.00",
    account: "9876543210",
    balance: "1.0000",
    message: "",
    error: "",
    service: "x",
    fee: "0.0000",
    created_at: "2025-06-15 20:36:40",
    updated_at: "2025-06-15 20:36:40",
    [row.block]: { some_field: "1", type: row.path.replace("/aeps/", "") },
    ...more,
  };
}

test.each(KINDS)("$path: an order is read with its block, made and looked up alike", async (row) => {
  server.on(`POST ${row.path}`, () => ({ body: order(row, "SUCCESS") }));
  server.on(`GET ${row.lookup}`, () => ({ body: order(row, "FAILED") }));
  const expected = {
    orderId: "01JXQ0A1B2C3D4E5F6",
    requestId: "R-1",
    fee: "0.0000",
    [row.block]: expect.objectContaining({ someField: "1" }),
  };
  const made = await row.create(corprail);
  expect(made).toMatchObject({ ...expected, outcome: "succeeded", customerRefund: "not_due" });
  expect(server.seen.at(-1)?.body).toMatchObject({ request_id: "R-1" });
  expect(made).not.toHaveProperty("error");
  expect(await row.get(corprail)).toMatchObject({ ...expected, outcome: "failed", customerRefund: row.refund });
  expect(server.seen.at(-1)?.query).toEqual({ request_id: "R-1" });
});

test.each(KINDS)("$path: a refusal on HTTP 200 is not_created", async (row) => {
  const body = { ...order(row, "failed"), ok: false, order_id: "", balance: null, code: 331, error: "service_not_enabled" };
  server.on(`POST ${row.path}`, () => ({ body }));
  expect(await row.create(corprail)).toMatchObject({ outcome: "not_created", error: "service_not_enabled", customerRefund: row.refund });
});

test.each(KINDS)("$path: without an answer it is looked up by its request_id", async (row) => {
  server.on(`POST ${row.path}`, () => ({ status: 500, body: { status: "rejected", error: "internal_error", code: 500, message: "" } }));
  server.on(`GET ${row.lookup}`, () => ({ body: order(row, "pending") }));
  expect(await row.create(corprail)).toMatchObject({ outcome: "pending", urid: "R-1" });
});

test.each([
  ["fetch_expired", 410, 4106],
  ["bank_down", 503, 4213],
])("the service's own refusal %s is typed, and proves that nothing was created", async (error, status, code) => {
  const body = { ok: false, status: "rejected", error, code, message: "No.", request_id: "R-1", urid: "R-1", order_id: "" };
  server.on("POST /bills/pay", () => ({ status, body }));
  const thrown = await corprail.bills.pay(PAY).catch((reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(RefusedError);
  expect(thrown).toMatchObject({ error, code, httpStatus: status, urid: "R-1", orderId: null, customerRefund: "due", requestId: "REQ1" });
});

test("an AEPS transaction of another call with the same request_id is not taken for this one", async () => {
  const other = { status: 200, body: order(KINDS[5] as Row, "SUCCESS") };
  const own = { status: 200, body: order(KINDS[6] as Row, "SUCCESS") };
  const { corprail: client, requested } = bench([{ fails: "fetch failed" }, other, own]);
  expect(await client.aeps.aadhaarPay(MONEY)).toMatchObject({ outcome: "succeeded", aeps: { type: "aadhaar_pay" } });
  expect(requested()).toEqual(["POST /aeps/aadhaar_pay", "GET /aeps/transactions", "POST /aeps/aadhaar_pay"]);
  const lost = { fails: "fetch failed" };
  const unsure = bench([lost, other, other]);
  expect(await unsure.corprail.aeps.aadhaarPay(MONEY, { maxRetries: 0 })).toMatchObject({ outcome: "unknown" });
});

test("a ticket is found by its number, and a cancelled one reads failed with what came back", async () => {
  const row = KINDS[2] as Row;
  server.on("GET /bus/ticket", () => ({ body: order(row, "FAILED", { ticket: { refund_amount: "400.0000" } }) }));
  const found = await corprail.bus.getTicket({ ticketNo: "TK1" });
  expect(found).toMatchObject({ outcome: "failed", ticket: { refundAmount: "400.0000" } });
  expect(server.seen.at(-1)?.query).toEqual({ ticket_no: "TK1" });
});

test("the penny drop is an order, repeated under its reference when it gets no answer", async () => {
  const row = KINDS[1] as Row;
  const { corprail: client, sent } = bench([
    { fails: "fetch failed" },
    { status: 200, body: order(row, "SUCCESS", { verified_name: "RAVI K" }) },
  ]);
  const checked = await client.transfers.beneficiaries.verify({ requestId: "R-1", beneficiaryId: "BEN1" });
  expect(checked).toMatchObject({ outcome: "succeeded", verifiedName: "RAVI K" });
  expect(sent.map((one) => one.json)).toEqual([sent[0]?.json, sent[0]?.json]);
});

test("a penny drop's reply that is no order is an error, not a failed check", async () => {
  const { corprail: client } = bench([{ status: 200, body: { ok: true } }]);
  await expect(client.transfers.beneficiaries.verify({ requestId: "R-1", beneficiaryId: "BEN1" })).rejects.toBeInstanceOf(NoAnswerError);
});

test("each service settles what it made", async () => {
  const steps = (row: number) => [
    { status: 200, body: order(KINDS[row] as Row, "pending") },
    { status: 200, body: order(KINDS[row] as Row, "SUCCESS") },
  ];
  const settled = [
    await bench(steps(0)).corprail.bills.payAndSettle(PAY),
    await bench(steps(1)).corprail.transfers.createAndSettle({ requestId: "R-1", transferRef: "TR1", otp: "111000" }),
    await bench(steps(2)).corprail.bus.bookAndSettle({ requestId: "R-1", blockRef: "BL1", amount: "500.00" }),
    await bench(steps(5)).corprail.aeps.cashWithdrawalAndSettle(MONEY),
    await bench(steps(6)).corprail.aeps.aadhaarPayAndSettle(MONEY),
  ];
  expect(settled.map((one) => one.outcome)).toEqual(["succeeded", "succeeded", "succeeded", "succeeded", "succeeded"]);
});

test("each service waits for what is pending, and a fetch is asked for every few seconds", async () => {
  const once = (row: number) => bench([{ status: 200, body: order(KINDS[row] as Row, "SUCCESS") }]).corprail;
  expect(await once(0).bills.waitForFinal({ fetchRef: "FR1" })).toMatchObject({ outcome: "succeeded" });
  expect(await once(1).transfers.waitForFinal({ transferRef: "TR1" })).toMatchObject({ outcome: "succeeded" });
  expect(await once(2).bus.waitForFinal({ blockRef: "BL1" })).toMatchObject({ outcome: "succeeded" });
  expect(await once(5).aeps.waitForFinal({ orderId: "01JXQ0A1B2C3D4E5F6" })).toMatchObject({ outcome: "succeeded" });
  const fetched = ["pending", "SUCCESS"].map((status) => ({ status: 200, body: { ok: true, status, fetch_ref: "FR1" } }));
  const { corprail: client, clock } = bench(fetched);
  expect(await client.bills.waitForFetch({ fetchRef: "FR1" })).toMatchObject({ status: "SUCCESS" });
  expect(clock.waits).toEqual([3_000, 5_000]);
});
