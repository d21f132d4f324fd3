import { missingOperations, type OperationName } from "@corprail/connector";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { ProviderExchange } from "../connector.ts";
import type { Heard } from "../description/testing/provider.ts";
import { formatReference } from "../references.ts";
import { defined } from "../testing/definitions.ts";
import { NEVER, providerRequest } from "../testing/requests.ts";
import { AADHAAR, BILL, connected, decrypted, EKO, OUTLET, OWNER, PID, SECRETS, TRANSFER, WITHDRAWAL } from "./testing/eko.ts";
import { readShippedFile, shippedSuite } from "./testing/shipped-suite.ts";

shippedSuite(EKO);

const bodyOf = (heard: Heard | undefined): JsonObject => JSON.parse(heard?.body ?? "{}") as JsonObject;

test("all three services can be routed to Eko", () => {
  const operations = new Set(Object.keys(readShippedFile("eko")["operations"] as JsonObject) as OperationName[]);
  for (const service of ["transfers", "bills", "aeps"]) expect(missingOperations(service, operations)).toEqual([]);
});

test("requests carry the secret-key that Eko publishes for this key and time", async () => {
  const { connector, heard } = await connected(() => ({}));
  await connector.query("balance", {}, NEVER);
  expect(heard[0]?.headers).toMatchObject({
    developer_key: SECRETS.developer_key,
    "secret-key": "88lqTf9ew69XbVbeczjxVL8/B4vibfp1MvTi1mIj2Xo=",
    "secret-key-timestamp": "1700000000000",
    "content-type": "application/json",
  });
  expect(heard[0]?.headers).not.toHaveProperty("request_hash");
});

test("a bill is fetched again and paid under one reference, with a hash of account, amount and agent", async () => {
  const fetched = { status: 0, response_type_id: 1052, data: { amount: "50.0", utilitycustomername: "Amit Kumar" } };
  const { connector, heard } = await connected(({ method }) => ({ body: method === "GET" ? fetched : {} }));
  const request = providerRequest(BILL);
  expect((await connector.send(request, NEVER)).kind).toBe("unknown");
  expect(Object.fromEntries(heard[0]?.query ?? [])).toMatchObject({
    client_ref_id: request.reference,
    phone_operator_code: "53",
    category: "8",
    utility_acc_no: "151627591",
  });
  expect(heard[1]?.headers["request_hash"]).toBe("IHmFujfCrFUYwTF6avOPs2qf6j4ARHxrLv6s3Z+Tlqs=");
  expect(bodyOf(heard[1])).toEqual({
    initiator_id: "9962981729",
    user_code: "20810200",
    client_ref_id: request.reference,
    phone_operator_code: "53",
    category: 8,
    amount: 50,
    confirmation_mobile_no: "9903457748",
    sender_name: "Asha Rao",
    utilitycustomername: "Amit Kumar",
    source_ip: "203.0.113.77",
    utility_acc_no: "151627591",
  });
});

test("a bill that cannot be fetched again is declined, and nothing is paid", async () => {
  const { connector, heard } = await connected(() => ({ body: { status: 1468, response_status_id: 1, response_type_id: 1468, data: {} } }));
  expect(await connector.send(providerRequest(BILL), NEVER)).toMatchObject({ kind: "declined" });
  expect(heard.map(({ method }) => method)).toEqual(["GET"]);
});

test("references have the 19 characters that both of Eko's limits allow", () => {
  const form = defined(readShippedFile("eko")).reference;
  expect(form && formatReference(form, 123_456n, Date.UTC(2026, 10, 17))).toMatch(/^20261117[0-9A-Z]{11}$/);
});

test("Aadhaar numbers are encrypted for Eko, and neither they nor the PID block are in the evidence", async () => {
  const { connector, heard } = await connected(() => ({ body: { status: 0, response_type_id: 1713 } }));
  const evidence: ProviderExchange[] = [];
  await connector.send(providerRequest(WITHDRAWAL), NEVER, (one) => evidence.push(one));
  const sent = bodyOf(heard[0]);
  expect(heard[0]?.path).toBe("/customer/collection/aeps-fingpay/cash-withdrawl/9000000000");
  expect(sent).toMatchObject({ user_code: "20110341", bank_code: "HDFC", latlong: "28.6139,77.2090", piddata: PID, amount: 1000 });
  expect(decrypted(sent["aadhar"])).toBe(AADHAAR);
  const kept = JSON.stringify(evidence);
  for (const secret of [AADHAAR, "cGlkLWJsb2Nr", String(sent["aadhar"])]) expect(kept).not.toContain(secret);
  const daily = { ...OUTLET, type: "DAILY", aadhaar: AADHAAR, pid: PID, bank_iin: "" } as const;
  expect(await connector.query("aeps.authenticate", daily, NEVER)).toMatchObject({ kind: "answered" });
  expect(bodyOf(heard[1])).toMatchObject({ customer_id: OWNER, bank_code: "HDFC", user_code: "20110341" });
  expect(decrypted(bodyOf(heard[1])["aadhar"])).toBe(AADHAAR);
});

test("an agent or a bank that was not entered is not sent", async () => {
  const { connector, heard } = await connected(() => ({}));
  const unknown = { ...EKO.queries["aeps.outlet.register"].input, mobile: "9000000001" };
  expect((await connector.query("aeps.outlet.register", unknown, NEVER)).kind).toBe("unavailable");
  const other = { ...WITHDRAWAL, operator: "607153", details: { ...WITHDRAWAL.details, bank_iin: "607153" } };
  expect((await connector.send(providerRequest(other), NEVER)).kind).toBe("not_sent");
  expect(heard).toEqual([]);
});

test("only IMPS and whole rupees are sent", async () => {
  const { connector, heard } = await connected(() => ({}));
  for (const changed of [{ details: { ...TRANSFER.details, mode: "NEFT" } }, { amount: "100.50" }])
    expect((await connector.send(providerRequest({ ...TRANSFER, ...changed }), NEVER)).kind).toBe("not_sent");
  expect(heard).toEqual([]);
});
