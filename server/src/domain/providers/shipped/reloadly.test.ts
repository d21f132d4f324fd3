import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { NEVER, providerRequest } from "../testing/requests.ts";
import { answeringProvider } from "./testing/answering-provider.ts";
import { RELOADLY } from "./testing/reloadly.ts";
import { connectTwin, shippedSuite } from "./testing/shipped-suite.ts";

shippedSuite({
  ...RELOADLY,
  transactions: { "recharge.pay": { operator: "AT", target: "9876543210", amount: "199" } },
  queries: {
    balance: { input: {}, value: { balance: "100000" } },
    lookup: { input: { number: "9876543210" }, value: { operator: "AT", circle: null } },
  },
  // It is asked by its own id, which it gave: that it does not know it proves nothing.
  contract: { findings: { "not found": ["unknown"] } },
});

/** A provider whose account has this currency and whose top-ups are answered like this. */
const connectAccount = (currencyCode: string, topup: { readonly status?: number; readonly body: object }) =>
  answeringProvider(RELOADLY, ({ path }) => {
    if (path === "/oauth/token") return { body: { access_token: "token-1", expires_in: 3600 } };
    return path === "/accounts/balance" ? { body: { balance: 900, currencyCode } } : topup;
  });

test("a recharge is sent in rupees, with the country code, and with our reference", async () => {
  const { connector, heard } = await connectAccount("INR", { body: { status: "PROCESSING", transactionId: 4602843 } });
  const sent = providerRequest({ operator: "JO", target: "7012345678", amount: "239.5" });
  expect(await connector.send(sent, NEVER)).toMatchObject({ kind: "pending", providerRef: "4602843" });
  const [login, , topup] = heard;
  expect(JSON.parse(login?.body ?? "")).toEqual({
    client_id: RELOADLY.secrets.client_id,
    client_secret: RELOADLY.secrets.client_secret,
    grant_type: "client_credentials",
    audience: "https://topups.reloadly.com",
  });
  expect(topup).toMatchObject({
    method: "POST",
    path: "/topups",
    headers: { authorization: "Bearer token-1", accept: "application/com.reloadly.topups-v1+json" },
  });
  expect(JSON.parse(topup?.body ?? "")).toEqual({
    operatorId: 786,
    amount: 239.5,
    useLocalAmount: false,
    customIdentifier: sent.reference,
    recipientPhone: { countryCode: "IN", number: "917012345678" },
  });
});

test("an account that is not in rupees gets no order, because 199 would be 199 dollars", async () => {
  const { connector, heard } = await connectAccount("USD", { body: { status: "SUCCESSFUL" } });
  expect(await connector.send(providerRequest(), NEVER)).toMatchObject({ kind: "not_sent" });
  expect(heard.map(({ path }) => path)).not.toContain("/topups");
  expect(await connector.query("balance", {}, NEVER)).toMatchObject({ kind: "unavailable" });
});

test("a success in another currency or about another reference is unknown", async () => {
  const money = { requestedAmountCurrencyCode: "INR", deliveredAmountCurrencyCode: "INR" };
  const sent = providerRequest();
  for (const more of [
    { customIdentifier: sent.reference, ...money, requestedAmountCurrencyCode: "USD" },
    { customIdentifier: "X", ...money },
  ]) {
    const { connector } = await connectAccount("INR", { body: { status: "SUCCESSFUL", transactionId: 1, ...more } });
    expect(await connector.send(sent, NEVER)).toMatchObject({ kind: "unknown" });
  }
});

test.each([
  [400, "INVALID_RECIPIENT_PHONE", { kind: "declined", decline: "final", failure: "number_not_valid" }],
  [400, "PHONE_RECENTLY_RECHARGED", { kind: "declined", decline: "final", failure: "duplicate" }],
  [400, "INVALID_AMOUNT_FOR_OPERATOR", { kind: "declined", failure: "amount_not_accepted" }],
  [400, "INSUFFICIENT_BALANCE", { kind: "declined", decline: "float" }],
  [503, "OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE", { kind: "declined", failure: "operator_down" }],
  [400, "CUSTOM_IDENTIFIER_ALREADY_USED", { kind: "unknown" }],
  [400, "TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT", { kind: "unknown" }],
  [500, "TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT", { kind: "unknown" }],
  [503, "INSUFFICIENT_BALANCE", { kind: "unknown" }],
] as const)("HTTP %i with %s is read correctly", async (http, errorCode, expected) => {
  const { connector } = await connectAccount("INR", { status: http, body: { message: "words", errorCode } });
  expect(await connector.send(providerRequest(), NEVER)).toMatchObject(expected);
});

test("an id that Reloadly gave and no longer finds fails nothing; without an id, an empty report is not found", async () => {
  const { connector } = await answeringProvider(RELOADLY, ({ path }) => {
    if (path === "/oauth/token") return { body: { access_token: "token-1", expires_in: 3600 } };
    if (path.endsWith("/status")) return { status: 404, body: { errorCode: "TRANSACTION_NOT_FOUND" } };
    return { body: { content: [], totalElements: 0 } };
  });
  expect(await connector.ask({ ...providerRequest(), providerRef: "4602843" }, NEVER)).toMatchObject({ kind: "unknown" });
  expect(await connector.ask(providerRequest(), NEVER)).toEqual({ kind: "not_found" });
});

test("a signed callback makes us ask, whatever it says; a forged one does nothing", async () => {
  const { connector } = await connectTwin(RELOADLY);
  const body = JSON.stringify({
    type: "airtime_transaction.status",
    data: { status: "SUCCESSFUL", transaction: { customIdentifier: "REF1" } },
  });
  const signature = createHmac("sha256", RELOADLY.secrets.webhook_secret).update(`${body}:1791423932`).digest("hex");
  const message = (text: string, key: string) => ({
    ...{ method: "POST", path: "", source: "203.0.113.9", query: {}, body: text },
    headers: { "x-reloadly-signature": key, "x-reloadly-request-timestamp": "1791423932" },
  });
  expect(connector.readCallback?.(message(body, signature))).toEqual({ reference: "REF1", finding: { kind: "ask" } });
  expect(connector.readCallback?.(message(body.replace("REF1", "REF2"), signature))).toMatchObject({ refused: "wrong_key" });
  expect(connector.readCallback?.(message(body, ""))).toMatchObject({ refused: "wrong_key" });
});
