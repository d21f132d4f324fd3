import { expect, test } from "vitest";
import { NEVER, providerRequest } from "../testing/requests.ts";
import { answeringProvider } from "./testing/answering-provider.ts";
import { connectTwin, type ShippedSubject, shippedSuite } from "./testing/shipped-suite.ts";

const RECHARGE = { operator: "AT", target: "9940435278", amount: "10", reference: "65S4F6S4DF" };
const SUBJECT: ShippedSubject = {
  name: "plain-xml",
  secrets: { api_token: "token-f6cdec2deec0" },
  completed: (settings) => ({ ...settings, codes: { operators: { values: { AT: "1" } } } }),
  transactions: { "recharge.pay": RECHARGE },
  queries: {},
};
shippedSuite(SUBJECT);

const answer = (status: string, ec: string, more = "<mn>9940435278</mn>") =>
  `<?xml version="1.0" encoding="utf-8"?><Result xmlns="http://tempuri.org/"><reqid>65S4F6S4DF</reqid><status>${status}</status>` +
  `<remark>words</remark><balance>7.6600</balance>${more}<ec>${ec}</ec></Result>`;

test("nothing is sent before the operator codes of the panel are filled in", async () => {
  const { completed: _, ...untouched } = SUBJECT;
  const { connector, heard } = await answeringProvider(untouched, () => ({}));
  expect(await connector.send(providerRequest(RECHARGE), NEVER)).toMatchObject({ kind: "not_sent", fault: "order" });
  expect(heard).toEqual([]);
});

test("a recharge is sent with the documented parameters, the empty ones too", async () => {
  const { connector, heard } = await answeringProvider(SUBJECT, () => ({ body: answer("PENDING", "1010") }));
  await connector.send(providerRequest(RECHARGE), NEVER);
  expect(heard[0]).toMatchObject({ method: "GET", path: "/apiservice.asmx/Recharge" });
  expect(Object.fromEntries(heard[0]?.query ?? [])).toEqual({
    apiToken: "token-f6cdec2deec0",
    mn: "9940435278",
    op: "1",
    amt: "10",
    reqid: "65S4F6S4DF",
    field1: "",
    field2: "",
  });
});

test.each([
  ["SUCCESS", "1000", { kind: "succeeded" }],
  ["FAILED", "1002", { kind: "declined", failure: "declined" }],
  ["FAILED", "1005", { kind: "declined", decline: "final", failure: "number_not_valid" }],
  ["FAILED", "1006", { kind: "declined", failure: "amount_not_accepted" }],
  ["FAILED", "1013", { kind: "declined", failure: "operator_down" }],
  ["FAILED", "1015", { kind: "declined", decline: "float", balance: "7.66" }],
  ["FAILED", "1016", { kind: "declined", decline: "float" }],
  // The recharge before may be this one, delivered twice by a proxy: another provider would carry it out again.
  ["FREQUENT", "1009", { kind: "declined", decline: "final", failure: "duplicate" }],
  ["FAILED", "1009", { kind: "declined", decline: "final", failure: "duplicate" }],
  // A reference that the provider has already may have been carried out, and its own faults say nothing about the recharge.
  ["FAILED", "1007", { kind: "unknown" }],
  ["FAILED", "1008", { kind: "unknown" }],
  ["FAILED", "1011", { kind: "unknown" }],
  ["ACCEPTED", "1018", { kind: "unknown" }],
])("a recharge answered %s with the error code %s has the right outcome", async (status, ec, outcome) => {
  const { connector } = await answeringProvider(SUBJECT, () => ({ body: answer(status, ec) }));
  expect(await connector.send(providerRequest(RECHARGE), NEVER)).toMatchObject(outcome);
});

test.each([
  ["FAILED", "1002", undefined, "declined"],
  ["REFUND", "1014", undefined, "reversed"],
  ["FAILED", "1003", undefined, "unknown"],
  ["FAILED", "1004", undefined, "unknown"],
  ["FAILED", "1002", "", "unknown"],
])("a status %s with the code %s counts as a failure only if it is about a recharge", async (status, ec, more, kind) => {
  const { connector } = await answeringProvider(SUBJECT, () => ({ body: answer(status, ec, more) }));
  expect((await connector.ask(providerRequest(RECHARGE), NEVER)).kind).toBe(kind);
});

test("a success about another reference is unknown", async () => {
  const { connector } = await answeringProvider(SUBJECT, () => ({ body: answer("SUCCESS", "1000") }));
  expect((await connector.send(providerRequest({ ...RECHARGE, reference: "OTHER" }), NEVER)).kind).toBe("unknown");
});

test("an empty wallet is a decline of the class float", async () => {
  const { connector } = await connectTwin(SUBJECT, { fault: "out-of-money" });
  expect(await connector.send(providerRequest(RECHARGE), NEVER)).toMatchObject({ kind: "declined", decline: "float" });
});

test("a callback proves nothing and only makes us ask for the status", async () => {
  const { connector } = await connectTwin(SUBJECT);
  const query = { reqid: "65S4F6S4DF", status: "SUCCESS", field1: "OP1" };
  const message = { method: "GET", path: "", source: "203.0.113.9", headers: {}, body: "", query };
  expect(connector.readCallback?.(message)).toEqual({ reference: "65S4F6S4DF", finding: { kind: "ask" } });
});
