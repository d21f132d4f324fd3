import { createHmac } from "node:crypto";
import { TRANSACTIONS, type TransactionName } from "@corprail/connector";
import type { ContractCallbacks } from "@corprail/connector/testing";
import { systemClock } from "../../../platform/core/clock.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { ProviderRequest } from "../connector.ts";
import { type ConnectorUnderTest, connectorContract } from "../testing/contract-suite.ts";
import { testEgress } from "../testing/egress.ts";
import { providerRequest } from "../testing/requests.ts";
import { BEHAVIOURS, type Behaviour, type Received, startUnrulyServer, type Words } from "../testing/unruly-server.ts";
import { createCorprailConnector } from "./corprail.ts";
import { callbackReader } from "./read-callback.ts";
import { readCorprailSettings } from "./settings.ts";

const STATUS = { success: "SUCCESS", failure: "FAILED", pending: "pending", "another reference": "SUCCESS", "undeclared status": "QUEUED" };

// The details that each service adds to an order.
const AEPS = { agent_code: "OUT1", bank_iin: "607094", aadhaar: "1".repeat(12), pid: "<p/>", latitude: "19", longitude: "72" };
const DETAILS: Readonly<Record<TransactionName, JsonObject>> = {
  "recharge.pay": {},
  "bills.pay": {
    fetch_ref: "F1",
    fetch_provider_ref: "F2",
    params: {},
    customer_mobile: "9876543210",
    payment_mode: "CASH",
    payer_name: "Asha",
  },
  "transfers.send": { otp: "111000", otp_ref: "TRF1" },
  "transfers.check_account": { beneficiary_ref: "BEN1" },
  "bus.book": { block_provider_ref: "BLK1" },
  "aeps.cash_withdrawal": AEPS,
  "aeps.aadhaar_pay": AEPS,
  "aeps.balance_enquiry": AEPS,
  "aeps.mini_statement": AEPS,
};

function requestOf(name: TransactionName): ProviderRequest {
  const { service, operation } = TRANSACTIONS[name];
  const amount = /enquiry|statement|check_account/.test(name) ? "0" : "199";
  return providerRequest({ service, operation, amount, details: DETAILS[name] });
}

function referenceIn(request: Received): string {
  const query = new URL(request.url, "http://x").searchParams;
  const fields: Readonly<Record<string, unknown>> = request.method === "GET" ? Object.fromEntries(query) : JSON.parse(request.body);
  return String(fields["urid"] ?? fields["request_id"] ?? "");
}

function wordsOf({ service, amount }: { readonly service: string; readonly amount: string }): Words {
  return (kind, request) => {
    const urid = kind === "another reference" ? "OTHER" : referenceIn(request);
    if (kind === "not found")
      return { status: 404, body: JSON.stringify({ status: "rejected", error: "not_found", code: 125, message: "No.", urid }) };
    const status = kind === "no status" ? {} : { status: STATUS[kind] };
    const rest = {
      code: 0,
      order_id: "01ORDER00001",
      urid,
      operator_ref: "OP1",
      amount,
      account: "1",
      balance: "1.0000",
      message: "Said.",
    };
    const signed = service === "recharge" ? {} : { ok: true, error: "", request_id: urid, service, fee: "0.0000" };
    return { status: 200, body: JSON.stringify({ ...status, ...rest, ...signed }) };
  };
}

// Written and read as another transaction of their service, so the misbehaviour of a connection need not be repeated.
const SAME_FORMAT: ReadonlySet<TransactionName> = new Set([
  "transfers.check_account",
  "aeps.aadhaar_pay",
  "aeps.balance_enquiry",
  "aeps.mini_statement",
]);

const SAME_BEHAVIOURS: readonly Behaviour[] = [
  "success",
  "failure",
  "pending",
  "not found",
  "another reference",
  "hangs up after reading",
  "echoes the request",
];

const SECRETS = { token: "tok_live_c0ntract", signingSecret: "sig_c0ntract", callbackSecret: "cbk_c0ntract" };

function hmac(key: string, text: string): string {
  return createHmac("sha256", key).update(text).digest("hex");
}

let messages = 0;

function reported(version: "2" | "3"): Record<string, string> {
  messages++;
  const ts = String(Math.floor(Date.now() / 1000));
  return { v: version, status: "SUCCESS", orderid: "01ORDER00001", urid: "R1", optid: "OP1", amount: "10.0000", ts, nonce: `n${messages}` };
}

const MESSAGE = { path: "", source: "203.0.113.7", query: {}, headers: {}, body: "" };

/** Messages of both versions: a signed query and a signed body. */
function callbacks(): readonly ContractCallbacks[] {
  const read = callbackReader(SECRETS, systemClock());
  const inQuery = () => {
    const query = reported("2");
    const text = Object.keys(query)
      .sort()
      .map((name) => `${name}=${query[name]}`)
      .join("&");
    return { ...MESSAGE, method: "GET", query: { ...query, hash: hmac(SECRETS.token, text) } };
  };
  const inBody = () => {
    const body = JSON.stringify(reported("3"));
    return { ...MESSAGE, method: "POST", headers: { "x-callback-signature": hmac(SECRETS.callbackSecret, body) }, body };
  };
  return [inQuery, inBody].map((genuine) => ({ proof: "signature", genuine, read }));
}

function subject(name: TransactionName): ConnectorUnderTest {
  return {
    name: `corprail, ${name}`,
    behaviours: SAME_FORMAT.has(name) ? SAME_BEHAVIOURS : BEHAVIOURS,
    failureWhenAsked: "reversed",
    secrets: Object.values(SECRETS),
    // A message does not name its service, so one transaction is enough.
    ...(name === "recharge.pay" ? { callbacks: callbacks() } : {}),
    open: async (behaviour, timeoutMilliseconds) => {
      const request = requestOf(name);
      const amount = request.amount === 0n ? "0" : "199.0000";
      const server = await startUnrulyServer(behaviour, wordsOf({ service: request.service, amount }));
      const timeouts = { connect_ms: 5000, whole_ms: timeoutMilliseconds };
      const read = readCorprailSettings({ base_url: server.origin, plain_http: true, timeouts });
      if (!read.ok) throw new Error("The settings are wrong.");
      // The key comes from elsewhere, so that each behaviour meets the transaction itself.
      const cipher = { encrypt: async () => ({ kind: "answered", value: "c2VhbGVk" }) as const, forget: () => {} };
      const connector = createCorprailConnector({
        settings: read.settings,
        secrets: SECRETS,
        clock: systemClock(),
        egress: testEgress(),
        cipher,
      });
      return {
        connector,
        request,
        references: () => server.received.map(referenceIn),
        close: async () => {
          await connector.close();
          await server.close();
        },
      };
    },
  };
}

for (const name of Object.keys(TRANSACTIONS) as TransactionName[]) connectorContract(subject(name));
