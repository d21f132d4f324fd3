import { createDecipheriv } from "node:crypto";
import { expect, test } from "vitest";
import type { ProviderExchange } from "../connector.ts";
import { NEVER, providerRequest } from "../testing/requests.ts";
import { answeringProvider } from "./testing/answering-provider.ts";
import { AADHAAR, OWNER, PAYSPRINT, PID } from "./testing/paysprint.ts";
import { connectTwin } from "./testing/shipped-suite.ts";

const { secrets, transactions } = PAYSPRINT;

/** Opens a body as PaySprint would, independently of the description. */
function opened({ body }: { readonly body: string }): unknown {
  const { body: ciphertext } = JSON.parse(body);
  const decipher = createDecipheriv("aes-128-cbc", secrets["aes_key"] ?? "", secrets["aes_iv"] ?? "");
  return JSON.parse(decipher.update(ciphertext, "base64", "utf8") + decipher.final("utf8"));
}

const paid = { status: true, txnstatus: "1", ackno: "3001", amount: "500.00", bankrrn: "215512345678", response_code: 1 };

test("a withdrawal and its status are sent encrypted, and the evidence has neither Aadhaar number nor fingerprint", async () => {
  const { connector, heard } = await answeringProvider(PAYSPRINT, () => ({ body: paid }));
  const request = providerRequest({ ...transactions["aeps.cash_withdrawal"], reference: "260305000004711" });
  const evidence: ProviderExchange[] = [];
  expect(await connector.send(request, NEVER, (one) => evidence.push(one))).toMatchObject({
    kind: "succeeded",
    operatorRef: "215512345678",
  });
  expect(await connector.ask(request, NEVER, (one) => evidence.push(one))).toMatchObject({ kind: "succeeded" });
  expect(heard.map(({ path }) => path)).toEqual(["/api/v1/service/aeps/authcashwithdraw/index", "/api/v1/service/aeps/aepsquery/query"]);
  expect(heard.map(opened)).toEqual([
    {
      latitude: "19.0760",
      longitude: "72.8777",
      mobilenumber: "9876543000",
      referenceno: "260305000004711",
      ipaddress: "203.0.113.77",
      adhaarnumber: AADHAAR,
      accessmodetype: "SITE",
      nationalbankidentification: 607094,
      requestremarks: "Cash withdrawal",
      data: PID,
      pipe: "bank2",
      timestamp: expect.stringMatching(/^20[0-9]{2}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$/),
      transactiontype: "CW",
      submerchantid: "OUT01JABCDEFGH",
      is_iris: "No",
      amount: 500,
      MerAuthTxnId: "15234567890",
    },
    { reference: "260305000004711" },
  ]);
  const ciphertexts = heard.map(({ body }) => JSON.parse(body).body);
  for (const secret of [AADHAAR, "PidData", ...ciphertexts]) expect(JSON.stringify(evidence)).not.toContain(secret);
});

const no = (code: number) => ({ status: false, response_code: code, message: "No" });

test.each<readonly ["aeps.cash_withdrawal" | "aeps.aadhaar_pay" | "aeps.balance_enquiry", number, unknown, object]>([
  ["aeps.cash_withdrawal", 200, { ...paid, bankrrn: "" }, { kind: "unknown" }],
  ["aeps.cash_withdrawal", 200, { ...paid, txnstatus: undefined }, { kind: "unknown" }],
  ["aeps.cash_withdrawal", 200, { ...paid, txnstatus: "3", response_code: 0 }, { kind: "declined", decline: "final" }],
  ["aeps.cash_withdrawal", 200, { ...paid, response_code: 0 }, { kind: "unknown" }],
  ["aeps.cash_withdrawal", 200, { ...paid, txnstatus: "2", response_code: 2 }, { kind: "pending", providerRef: "3001" }],
  ["aeps.cash_withdrawal", 406, no(7), { kind: "declined", failure: "amount_not_accepted" }],
  ["aeps.cash_withdrawal", 406, no(18), { kind: "unknown" }],
  ["aeps.cash_withdrawal", 401, no(5), { kind: "unknown" }],
  ["aeps.cash_withdrawal", 401, no(3), { kind: "unknown" }],
  ["aeps.cash_withdrawal", 401, no(11), { kind: "declined" }],
  ["aeps.cash_withdrawal", 404, no(12), { kind: "declined", failure: "operator_down" }],
  ["aeps.cash_withdrawal", 404, "<html>not found</html>", { kind: "unknown" }],
  ["aeps.aadhaar_pay", 200, { ...paid, txnstatus: undefined }, { kind: "succeeded" }],
  ["aeps.balance_enquiry", 406, no(27), { kind: "declined", decline: "final" }],
])("%s with HTTP %i and %j is read as %j", async (name, http, body, expected) => {
  const { connector } = await answeringProvider(PAYSPRINT, () => ({ status: http, body }));
  expect(await connector.send(providerRequest(transactions[name]), NEVER)).toMatchObject(expected);
});

test.each<readonly [number, unknown, string]>([
  [200, { ...paid, txnstatus: "3", response_code: 0 }, "declined"],
  [200, { ...paid, txnstatus: "2", response_code: 2 }, "pending"],
  [200, { ...paid, txnstatus: "3" }, "unknown"],
  [401, no(3), "not_found"],
  [401, no(11), "unknown"],
])("the status of a withdrawal with HTTP %i and %j is %s", async (http, body, expected) => {
  const { connector } = await answeringProvider(PAYSPRINT, () => ({ status: http, body }));
  expect((await connector.ask(providerRequest(transactions["aeps.cash_withdrawal"]), NEVER)).kind).toBe(expected);
});

test("enquiries give the customer's balance and entries", async () => {
  const { connector } = await connectTwin(PAYSPRINT);
  const balance = await connector.send(providerRequest(transactions["aeps.balance_enquiry"]), NEVER);
  expect(balance).toMatchObject({ result: { customer_balance: "9988" } });
  const statement = await connector.send(providerRequest(transactions["aeps.mini_statement"]), NEVER);
  expect(statement).toMatchObject({
    result: { customer_balance: "24287.44", entries: [{ type: "CR", amount: "105", narration: "APD" }, { type: "DR" }] },
  });
});

const DAILY = { ...OWNER, type: "DAILY", bank_iin: "" } as const;

test("an owner who is not registered for the second factor is registered, and then authenticated", async () => {
  const answers = [
    { status: false, response_code: 2 },
    { status: true, response_code: 1 },
    { status: true, response_code: 1 },
  ];
  const { connector, heard } = await answeringProvider(PAYSPRINT, () => ({ body: answers.shift() }));
  expect(await connector.query("aeps.authenticate", DAILY, NEVER)).toEqual({ kind: "answered", value: { auth_ref: "" } });
  expect(heard.map(({ path }) => path.split("/").at(-1))).toEqual(["authentication", "registration", "authentication"]);
  expect(opened(heard[1] ?? { body: "" })).toMatchObject({ adhaarnumber: AADHAAR, submerchantid: "OUT01JABCDEFGH" });
});

test("a day's authentication needs one call, and a fingerprint that does not match is told apart", async () => {
  const { connector, heard } = await answeringProvider(PAYSPRINT, () => ({ body: { status: true, response_code: 1 } }));
  expect((await connector.query("aeps.authenticate", DAILY, NEVER)).kind).toBe("answered");
  expect(heard).toHaveLength(1);
  const other = await answeringProvider(PAYSPRINT, () => ({ status: 406, body: no(27) }));
  expect(await other.connector.query("aeps.authenticate", DAILY, NEVER)).toMatchObject({ kind: "refused", code: "no_match" });
});

test.each([
  ["Accepted", { kind: "answered" }],
  ["Rejected", { kind: "refused", code: "rejected" }],
  ["Pending", { kind: "unavailable" }],
])("an outlet whose onboarding is %s is %j", async (state, expected) => {
  const { connector } = await answeringProvider(PAYSPRINT, () => ({ body: { status: true, response_code: 1, is_approved: state } }));
  const { agent_code, mobile, pid, latitude, longitude } = OWNER;
  expect(await connector.query("aeps.outlet.biometric", { agent_code, mobile, pid, latitude, longitude }, NEVER)).toMatchObject(expected);
});
