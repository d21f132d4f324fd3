import { expect, test } from "vitest";
import { NEVER, providerRequest } from "../testing/requests.ts";
import { BENEFICIARY, connected, EKO, SENDER, TRANSFER } from "./testing/eko.ts";
import { connectTwin } from "./testing/shipped-suite.ts";

const failed = (reason: string) => ({ status: 55, response_status_id: 1, response_type_id: 55, data: { tx_status: "1", reason } });
const code = (status: number) => ({ status, response_status_id: 1, response_type_id: status, data: {} });
test.each<[string, object, object]>([
  ["our wallet is empty", failed("Insufficient balance"), { kind: "declined", decline: "float" }],
  ["our wallet is empty, as a code", code(347), { kind: "declined", decline: "float" }],
  ["the password is wrong", failed("Wrong OTP"), { kind: "declined", decline: "final", failure: "declined" }],
  ["the sender's limit is reached", code(945), { kind: "declined", decline: "final", failure: "limit_reached" }],
  ["the account is not valid", code(46), { kind: "declined", decline: "final", failure: "number_not_valid" }],
  ["it failed for another reason", failed("Error from NPCI"), { kind: "declined" }],
  ["an undocumented code", code(9999), { kind: "unknown" }],
  ["status 0 with a failed transaction", { ...failed("?"), status: 0 }, { kind: "unknown" }],
  [
    "another reference",
    { status: 0, response_type_id: 325, data: { tx_status: "0", tid: "1", bank_ref_num: "2", client_ref_id: "X" } },
    { kind: "unknown" },
  ],
  ["no bank reference", { status: 0, response_type_id: 325, data: { tx_status: "0", tid: "1" } }, { kind: "unknown" }],
  ...[2, 3, 4, 5, 6].map((tx): [string, object, object] => [
    `tx_status ${tx}`,
    { status: 0, data: { tx_status: tx, tid: "77" } },
    { kind: "pending", providerRef: "77" },
  ]),
  ["an unknown tx_status", { status: 0, data: { tx_status: "9" } }, { kind: "unknown" }],
])("a transfer: %s", async (_what, body, outcome) => {
  const { connector } = await connected(() => ({ body }));
  expect(await connector.send(providerRequest(TRANSFER), NEVER)).toMatchObject(outcome);
});

test.each([
  [0, "succeeded"],
  [1, "declined"],
  [2, "pending"],
  [3, "pending"],
  [4, "reversed"],
  [5, "pending"],
  [6, "pending"],
  [7, "unknown"],
] as const)("an enquiry with tx_status %i finds it %s, asked by our reference", async (tx, kind) => {
  const request = providerRequest(TRANSFER);
  const data = { tx_status: String(tx), tid: "1", bank_ref_num: "620415011744", client_ref_id: request.reference };
  const { connector, heard } = await connected(() => ({ body: { status: 0, response_type_id: 1472, data } }));
  expect((await connector.ask(request, NEVER)).kind).toBe(kind);
  expect(heard[0]?.path).toBe(`/tools/reference/transaction/client_ref_id:${request.reference}`);
});

test("wrong credentials leave an order unknown, and only a TID that does not exist is not found", async () => {
  const refusing = await connected(() => ({ status: 403 }));
  expect(await refusing.connector.send(providerRequest(TRANSFER), NEVER)).toMatchObject({ kind: "unknown", fault: "credentials" });
  const { connector } = await connected(() => ({ body: { status: 168, response_status_id: 1, response_type_id: -1 } }));
  expect(await connector.ask(providerRequest(TRANSFER), NEVER)).toEqual({ kind: "not_found" });
});

test.each([
  [308, "not enrolled"],
  [2134, "without KYC"],
])("a sender with the answer %i, %s, is refused, and no password is sent", async (type) => {
  const { connector, heard } = await connected(() => ({ body: { status: type === 308 ? 308 : 0, response_type_id: type, data: {} } }));
  expect((await connector.query("transfers.sender.register", SENDER, NEVER)).kind).toBe("refused");
  expect(heard).toHaveLength(1);
});

test("a beneficiary that Eko knows is found by account and IFSC together, never by one of them", async () => {
  const added = await connected(() => ({ body: { status: 0, response_type_id: 43, data: { recipient_id: 117 } } }));
  const value = { status: "ACTIVE", beneficiary_ref: "117" };
  expect(await added.connector.query("transfers.beneficiary.add", BENEFICIARY, NEVER)).toMatchObject({ kind: "answered", value });
  const { account, ifsc } = BENEFICIARY;
  const others = [
    { recipient_id: 1, account, ifsc: "UCBA0000001" },
    { recipient_id: 2, account: "999999", ifsc },
  ];
  const list = { status: 0, response_type_id: 23, data: { recipient_list: others } };
  const known = await connected(({ method }) => ({ body: method === "GET" ? list : { status: 342, response_type_id: -1 } }));
  expect((await known.connector.query("transfers.beneficiary.add", BENEFICIARY, NEVER)).kind).toBe("unavailable");
  const lost = await connected(() => ({ body: { status: 463, response_type_id: -1 } }));
  expect(await lost.connector.query("transfers.beneficiary.add", BENEFICIARY, NEVER)).toMatchObject({ kind: "refused", code: "not_found" });
});

test("a callback proves nothing: whatever it says, the status is asked", async () => {
  const { connector } = await connectTwin(EKO);
  const message = { method: "POST", path: "", source: "198.51.100.1", query: {}, headers: {} };
  for (const tx_status of [0, 1]) {
    const body = JSON.stringify({ tx_status, client_ref_id: "20261117000000000A1", tid: 12971412 });
    expect(connector.readCallback?.({ ...message, body })).toEqual({ reference: "20261117000000000A1", finding: { kind: "ask" } });
  }
  expect(connector.readCallback?.({ ...message, body: "{}" })).toHaveProperty("refused");
});
