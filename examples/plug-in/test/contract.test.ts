import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import {
  type ContractHarness,
  connectorContract,
  openForTest,
  type Received,
  startUnrulyServer,
  type Words,
} from "@corprail/connector/testing";
import paywell from "../src/index.ts";

const SECRETS = { client_secret: "s3cret-of-the-client", callback_secret: "s3cret-of-callbacks" };
const TOKEN = "t0ken-of-the-session";
const REQUEST = {
  operation: "recharge.pay",
  reference: "REF000001",
  operator: "AT",
  target: "9876543210",
  amount: "199.00",
  circle: null,
  createdAt: Date.now(),
  details: {},
  providerRef: null,
} as const;

const isLogin = ({ url }: Received) => url === "/login";

function referenceIn({ method, url, body }: Received): string {
  return method === "POST" ? String((JSON.parse(body) as { ref: string }).ref) : decodeURIComponent(url.slice("/recharges/".length));
}

/** The provider's answers. */
const words: Words = (kind, request) => {
  if (isLogin(request)) return reply(200, { token: TOKEN, expires_at: Date.now() + 600_000 });
  if (request.url === "/balance") return reply(200, { balance: "1500.50" });
  const ref = kind === "another reference" ? "OTHER" : referenceIn(request);
  if (kind === "not found") return reply(404, { error: "not_found", ref });
  const status = { failure: "FAILED", pending: "PENDING", "undeclared status": "QUEUED", "no status": undefined }[kind as string];
  return reply(200, {
    ref,
    id: "P1",
    status: kind === "success" || kind === "another reference" ? "SUCCESS" : status,
    operator_ref: "OP1",
  });
};

function reply(status: number, value: object) {
  return { status, body: JSON.stringify(value) };
}

async function open(behaviour: Parameters<typeof startUnrulyServer>[0], timeoutMs: number, expiresToken = false): Promise<ContractHarness> {
  const server = await startUnrulyServer(behaviour, words, { isLogin, expiresToken });
  const connector = openForTest(paywell, { settings: { base_url: server.origin, operators: { AT: "7" } }, secrets: SECRETS, timeoutMs });
  const request = (reference: string = REQUEST.reference) => ({ ...REQUEST, reference });
  return {
    reference: REQUEST.reference,
    send: ({ signal, reference, record }) => connector.send(request(reference), signal, record),
    status: ({ signal, reference, record }) => connector.status(request(reference), signal, record),
    references: () => server.received.map(referenceIn),
    timeoutMs,
    closeConnector: connector.close,
    close: async () => {
      await connector.close();
      await server.close();
    },
  };
}

const callbacks = openForTest(paywell, { settings: { base_url: "http://127.0.0.1:1" }, secrets: SECRETS });

connectorContract(
  {
    name: "paywell",
    open,
    logsIn: true,
    openWithExpiredToken: (timeoutMs) => open("success", timeoutMs, true),
    secrets: [...Object.values(SECRETS), TOKEN],
    callbacks: {
      proof: "signature",
      genuine: () => {
        const body = JSON.stringify({ ref: "REF000001", id: "P1", status: "SUCCESS", operator_ref: "OP1" });
        const signature = createHmac("sha256", SECRETS.callback_secret).update(body).digest("hex");
        return { method: "POST", path: "", source: "203.0.113.7", query: {}, headers: { "x-paywell-signature": signature }, body };
      },
      read: callbacks.readCallback,
    },
  },
  test,
);

test("the balance is read", async () => {
  const server = await startUnrulyServer("success", words, { isLogin });
  const connector = openForTest(paywell, { settings: { base_url: server.origin }, secrets: SECRETS });
  try {
    const found = await connector.query("balance", {}, new AbortController().signal);
    assert.deepEqual(found, { kind: "answered", value: { balance: "1500.50" } });
  } finally {
    await connector.close();
    await server.close();
  }
});
