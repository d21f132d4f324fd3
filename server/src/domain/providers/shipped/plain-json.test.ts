import { expect, test } from "vitest";
import { NEVER, providerRequest } from "../testing/requests.ts";
import { answeringProvider } from "./testing/answering-provider.ts";
import { connectTwin, type ShippedSubject, shippedSuite } from "./testing/shipped-suite.ts";

const RECHARGE = { operator: "JO", target: "7990607312", amount: "30" };
const SUBJECT: ShippedSubject = {
  name: "plain-json",
  secrets: { userid: "user-48151623", token: "token-42108151" },
  transactions: { "recharge.pay": RECHARGE },
  queries: { balance: { input: {}, value: { balance: expect.any(String) } } },
};
shippedSuite(SUBJECT);

test("a recharge is sent with the documented parameters and no others", async () => {
  const { connector, heard } = await answeringProvider(SUBJECT, () => ({ body: { status: "PENDING" } }));
  const sent = providerRequest(RECHARGE);
  await connector.send(sent, NEVER);
  expect(heard[0]).toMatchObject({ method: "GET", path: "/API.asmx/Transaction" });
  expect(Object.fromEntries(heard[0]?.query ?? [])).toEqual({
    ...SUBJECT.secrets,
    opcode: "14",
    number: "7990607312",
    amount: "30",
    transid: sent.reference,
  });
});

test("an amount with paise is not sent", async () => {
  const { connector, heard } = await answeringProvider(SUBJECT, () => ({}));
  expect(await connector.send(providerRequest({ ...RECHARGE, amount: "30.50" }), NEVER)).toMatchObject({ kind: "not_sent" });
  expect(heard).toEqual([]);
});

test.each([
  ["another reference", { status: "SUCCESS", transid: "OTHER", optransid: "MH1" }, "unknown"],
  ["no reference", { status: "SUCCESS", optransid: "MH1" }, "unknown"],
  ["no operator reference", { status: "SUCCESS", transid: "REF", optransid: "" }, "unknown"],
  ["a status that is not documented", { status: "ACCEPTED", transid: "REF" }, "unknown"],
  ["a documented failure", { status: "FAIL", transid: "REF" }, "declined"],
])("an answer with %s is read as %s", async (_what, body, kind) => {
  const { connector } = await answeringProvider(SUBJECT, () => ({ body }));
  expect((await connector.send(providerRequest({ ...RECHARGE, reference: "REF" }), NEVER)).kind).toBe(kind);
});

test.each([
  ["failed at the provider", { status: "FAIL", referenceid: "1565464" }, "declined"],
  ["the query itself failed", { status: "FAIL", message: "Invalid token" }, "unknown"],
  ["the query failed with an empty id", { status: "FAIL", referenceid: "0" }, "unknown"],
  ["refunded", { status: "REFUND", referenceid: "1565464" }, "reversed"],
])("a status that says %s is read by whether it names the transaction", async (_what, body, kind) => {
  const { connector } = await answeringProvider(SUBJECT, () => ({ body }));
  expect((await connector.ask(providerRequest(RECHARGE), NEVER)).kind).toBe(kind);
});

test("a callback proves nothing: a genuine and a forged one only make us ask for the status", async () => {
  const { connector } = await connectTwin(SUBJECT);
  const query = { status: "SUCCESS", opid: "MH1", yourtransid: "REF1", txnid: "1565464", number: "7990607312", amount: "30", message: "" };
  const message = { method: "GET", path: "", source: "203.0.113.9", headers: {}, body: "", query };
  expect(connector.readCallback?.(message)).toEqual({ reference: "REF1", finding: { kind: "ask" } });
  expect(connector.readCallback?.({ ...message, query: { status: "SUCCESS" } })).toMatchObject({ refused: "no_reference" });
});

test("the balance is asked for at most every ten minutes, and states are polled after five", async () => {
  const { connector } = await connectTwin(SUBJECT);
  expect(connector).toMatchObject({
    balanceMilliseconds: 600_000,
    polling: { firstMilliseconds: 300_000, everyMilliseconds: 300_000 },
  });
});
