import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { WAIT_MILLISECONDS } from "../../../testing/deadline.ts";
import type { ProviderMessage } from "../connector.ts";
import { readDescription } from "../description/definition.ts";
import { defined, JSON_SPOKEN } from "../testing/definitions.ts";
import { NEVER, providerRequest } from "../testing/requests.ts";
import { startTwin, type TwinOptions } from "./start-twin.ts";
import { connectedTwin } from "./testing/connected-twin.ts";

const SECRETS = { token: "quick-token-1", pin: "pin-98765", client_id: "id-12345", client_secret: "cs-123456", webhook_key: "hook-12345" };

function example(name: "quickpay" | "rupeelink") {
  const path = fileURLToPath(new URL(`../../../../../docs/examples/providers/${name}.json`, import.meta.url));
  return JSON.parse(readFileSync(path, "utf8"));
}

async function exampleTwin(name: "quickpay" | "rupeelink", options: TwinOptions = {}, wholeSeconds = 5) {
  const timeouts = { connect_seconds: 2, whole_seconds: wholeSeconds };
  return await connectedTwin(example(name), { secrets: SECRETS, ...options }, { timeouts });
}

/** A receiver of callbacks, as the platform's address is one. */
async function receiver() {
  const received: ProviderMessage[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request.setEncoding("utf8")) body += part;
    const url = new URL(request.url ?? "/", "http://x");
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const path = url.pathname.replace("/callback", "");
    received.push({ method: request.method ?? "", path, source: "127.0.0.1", query: Object.fromEntries(url.searchParams), headers, body });
    response.end("ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
  });
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback` };
}

test.each(["quickpay", "rupeelink"] as const)("an order at the twin of %s succeeds once, and its status is remembered", async (name) => {
  const { twin, connector } = await exampleTwin(name);
  const request = providerRequest();
  expect(await connector.ask(request, NEVER)).toMatchObject({ kind: "not_found" });
  const sent = await connector.send(request, NEVER);
  expect(sent).toMatchObject({ kind: "succeeded", operatorRef: expect.stringMatching(/^OP7/) });
  expect(await connector.ask(request, NEVER)).toMatchObject({ kind: "succeeded", operatorRef: "operatorRef" in sent && sent.operatorRef });
  expect(twin.orders()).toMatchObject([{ reference: request.reference, sends: 1 }]);
});

test("the balance falls by what was carried out, and queries are answered from their samples", async () => {
  const { connector } = await exampleTwin("quickpay");
  await connector.send(providerRequest({ amount: "199.5" }), NEVER);
  expect(await connector.query("balance", {}, NEVER)).toEqual({ kind: "answered", value: { balance: "99800.5" } });
  const plans = await (await exampleTwin("rupeelink")).connector.query("plans", { operator: "AT", circle: "" }, NEVER);
  expect(plans).toMatchObject({ kind: "answered", value: { plans: [{ amount: "299" }] } });
});

test.each([
  ["9876543102", "declined", "declined"],
  ["9876543110", "pending", "pending"],
  ["9876543200", "pending", "succeeded"],
  ["9876543120", "succeeded", "reversed"],
  ["9876543140", "unknown", "not_found"],
  ["9876543141", "unknown", "succeeded"],
  ["9876543160", "unknown", "succeeded"],
  ["9876543161", "unknown", "succeeded"],
])("the digits of %s make the order %s and then %s", async (target, sent, asked) => {
  const { connector } = await exampleTwin("rupeelink", { delayMilliseconds: 300 });
  const request = providerRequest({ target });
  expect((await connector.send(request, NEVER)).kind).toBe(sent);
  await vi.waitFor(async () => expect((await connector.ask(request, NEVER)).kind).toBe(asked), { timeout: WAIT_MILLISECONDS });
});

test.each([
  ["slow", "unknown", "succeeded"],
  ["cut", "unknown", "succeeded"],
  ["500", "unknown", "succeeded"],
  ["out-of-money", "declined", "declined"],
] as const)("the fault %s makes an order %s, and the status says %s", async (fault, sent, asked) => {
  const { connector } = await exampleTwin("rupeelink", { fault, slowMilliseconds: 60_000 }, 1);
  const request = providerRequest();
  expect(await connector.send(request, NEVER)).toMatchObject({ kind: sent, ...(sent === "declined" ? { decline: "float" } : {}) });
  expect((await connector.ask(request, NEVER)).kind).toBe(asked);
});

test("an answer that comes twice on a connection is never taken for the next one", async () => {
  const { connector } = await exampleTwin("rupeelink", { fault: "double-answer" });
  const requests = [providerRequest(), providerRequest({ target: "9876543102" })];
  for (const request of requests) expect((await connector.ask(request, NEVER)).kind).toBe("not_found");
  expect(["succeeded", "unknown"]).toContain((await connector.send(requests[0] ?? providerRequest(), NEVER)).kind);
  expect(["declined", "unknown"]).toContain((await connector.send(requests[1] ?? providerRequest(), NEVER)).kind);
});

test("a token that has expired is renewed, and the order is carried out once", async () => {
  const { twin, connector } = await exampleTwin("rupeelink");
  await connector.send(providerRequest(), NEVER);
  twin.expireTokens();
  expect((await connector.send(providerRequest(), NEVER)).kind).toBe("succeeded");
  expect(twin.orders().map((order) => order.sends)).toEqual([1, 1]);
});

test.each(["quickpay", "rupeelink"] as const)("callbacks of %s are proved as the description says", async (name) => {
  const { received, url } = await receiver();
  const { connector } = await exampleTwin(name, { callbackUrl: url, fault: "late-callback", delayMilliseconds: 300 });
  const request = providerRequest();
  expect((await connector.send(request, NEVER)).kind).toBe("pending");
  await vi.waitFor(() => expect(received).toHaveLength(1), { timeout: WAIT_MILLISECONDS });
  expect(received.map((message) => connector.readCallback?.(message))).toMatchObject([
    { reference: request.reference, finding: { kind: "succeeded" } },
  ]);
});

test.each(["quickpay", "rupeelink"] as const)("a wrong signature of %s is refused, and a duplicate arrives twice", async (name) => {
  const { received, url } = await receiver();
  const forging = await exampleTwin(name, { callbackUrl: url, fault: "wrong-signature" });
  await forging.connector.send(providerRequest(), NEVER);
  await vi.waitFor(() => expect(received).toHaveLength(1), { timeout: WAIT_MILLISECONDS });
  expect(received.map((message) => forging.connector.readCallback?.(message))).toMatchObject([{ refused: "wrong_key" }]);
  const repeating = await exampleTwin(name, { callbackUrl: url, fault: "duplicate" });
  await repeating.connector.send(providerRequest(), NEVER);
  await vi.waitFor(() => expect(received).toHaveLength(3), { timeout: WAIT_MILLISECONDS });
  expect(received[1]).toEqual(received[2]);
});

test("a description without samples is refused, and so is a fault that needs a missing sample", async () => {
  const bare = readDescription(JSON_SPOKEN.describe("http://127.0.0.1:9"));
  if (!bare.ok) throw new Error("The description has faults.");
  await expect(startTwin(bare.definition)).rejects.toThrow("has no samples");
  const { callbacks: _, ...silent } = example("quickpay");
  await expect(startTwin(defined(silent), { fault: "late-callback" })).rejects.toThrow("no callback of the description has samples");
});

test("a request that no operation sends is answered 404 with the reason", async () => {
  const { twin } = await exampleTwin("quickpay");
  const response = await fetch(`${twin.origin}/nowhere`);
  expect({ status: response.status, text: await response.text() }).toEqual({ status: 404, text: expect.stringContaining("GET /nowhere") });
  const withoutKey = await fetch(`${twin.origin}/recharge?pin=1&opcode=1&number=9876543210&amount=10&ref=R1`);
  expect(await withoutKey.text()).toContain("recharge.pay: the query parameter token is missing.");
  const other = await exampleTwin("rupeelink");
  const withoutHeader = await fetch(`${other.twin.origin}/v2/transactions`, { method: "POST", body: "{}" });
  expect([withoutHeader.status, await withoutHeader.text()]).toEqual([
    404,
    expect.stringContaining("the header Authorization is missing."),
  ]);
});

const STEPPED = {
  version: 2,
  name: "stepped",
  base_url: "https://api.stepped.example",
  amount: "paise",
  read: { format: "xml", provider_ref: "r.id", operator_ref: "r.op" },
  operations: {
    "transfers.send": {
      steps: [
        {
          name: "contact",
          request: { url: "/contacts", body: { form: { kind: "contact", ref: "{reference}", name: "{details.beneficiary_name}" } } },
          outcome: [{ when: { "r.id": { is: "present" } }, means: "continue" }],
          save: { id: "r.id" },
          samples: { continue: { body: "<r><id>{provider_ref}</id></r>" } },
        },
        {
          name: "pay",
          request: { url: "/payouts", body: { xml: "<p><to>{step.contact.id}</to><ref>{reference}</ref><sum>{amount}</sum></p>" } },
          outcome: [
            { when: { "r.state": "PAID" }, means: "success" },
            { when: { "r.state": "NO" }, means: "declined" },
          ],
          samples: {
            success: { body: "<r><state>PAID</state><id>{provider_ref}</id><op>{operator_ref}</op></r>" },
            declined: { body: "<r><state>NO</state></r>" },
          },
        },
      ],
      status: {
        request: { url: "/payouts/{provider_ref}" },
        outcome: [
          { when: { "r.state": "PAID" }, means: "success" },
          { when: { $http: 404 }, means: "not_found" },
        ],
        samples: {
          success: { body: "<r><state>PAID</state><op>{operator_ref}</op></r>" },
          not_found: { http: 404 },
        },
      },
    },
  },
};

test("an operation of several calls is served, and its status is found by the provider's own id", async () => {
  const { twin, connector } = await connectedTwin(STEPPED);
  const details = { beneficiary_name: "Asha & Rao" };
  const request = providerRequest({ service: "transfers", target: "123456789000", details });
  const sent = await connector.send(request, NEVER);
  expect(sent).toMatchObject({ kind: "succeeded", providerRef: "TWIN1001" });
  expect(await connector.ask({ ...request, providerRef: "TWIN1001" }, NEVER)).toMatchObject({ kind: "succeeded" });
  expect(await connector.ask({ ...request, providerRef: "TWIN9999" }, NEVER)).toEqual({ kind: "not_found" });
  expect(twin.orders()).toMatchObject([{ reference: request.reference, sends: 1 }]);
  expect(twin.orders()[0]?.found.get("reference")).toBe(request.reference);
});

test("a body is read back without the members that a list becomes, and a value in a path ends at the next slash", async () => {
  const pay = {
    request: {
      url: "/pay",
      body: { json: { ref: "{reference}", sum: "{amount|number}", $each: "details.params", $name: "{item.name}", $value: "{item.value}" } },
    },
    outcome: [{ when: { state: "PAID" }, means: "success" }],
    samples: { success: { body: { state: "PAID" } } },
    status: {
      request: { url: "/pay/{reference}/state" },
      outcome: [{ when: { state: "PAID" }, means: "success" }],
      samples: { success: { body: { state: "PAID" } } },
    },
  };
  const balance = { request: { url: "/pay/{unique_id}" }, value: { balance: "sum" }, samples: { answered: { body: { sum: "1" } } } };
  const settings = { version: 2, name: "biller", base_url: "https://api.biller.example", operations: { balance, "bills.pay": pay } };
  const { connector, twin } = await connectedTwin(settings);
  const request = providerRequest({ service: "bills", details: { params: { "Account Number": "12" } } });
  expect(await connector.send(request, NEVER)).toMatchObject({ kind: "succeeded" });
  expect(await connector.ask(request, NEVER)).toMatchObject({ kind: "succeeded" });
  expect(twin.orders()).toMatchObject([{ reference: request.reference, sends: 1 }]);
});

const RESULT = {
  outcome: [
    { when: { state: "PAID" }, means: "success" },
    { when: { state: "WAIT" }, means: "pending" },
  ],
  samples: { success: { body: { state: "PAID", ref: "{reference}" } }, pending: { body: { state: "WAIT" } } },
};
const ACKNOWLEDGING = {
  version: 2,
  name: "acknowledging",
  base_url: "https://api.acknowledging.example",
  read: { format: "json", reference: "ref" },
  operations: {
    "bills.pay": {
      steps: [
        {
          name: "account",
          request: { url: "/account" },
          outcome: [{ when: { active: true }, means: "continue" }],
          samples: { continue: { body: { active: true } } },
        },
        {
          name: "pay",
          sends: true,
          request: { url: "/pay", body: { json: { fetch: "{details.fetch_provider_ref}", ref: "{reference}" } } },
          outcome: [{ when: { id: { is: "present" } }, means: "continue" }],
          save: { id: "id" },
          samples: { continue: { body: { id: "{provider_ref}" } } },
        },
        { name: "result", request: { url: "/result/{step.pay.id}" }, ...RESULT },
      ],
      status: { request: { url: "/bill/{details.fetch_provider_ref}" }, ...RESULT },
    },
  },
};

test.each([
  ["success", "succeeded"],
  ["pending", "pending"],
] as const)("a provider that only acknowledges gives %s in a later call, and its status by the fetch", async (answer, kind) => {
  const { connector, twin } = await connectedTwin(ACKNOWLEDGING, { answer });
  const request = providerRequest({ service: "bills", target: "123456789", details: { fetch_provider_ref: "FETCH-7" } });
  expect(await connector.send(request, NEVER)).toMatchObject({ kind });
  expect(await connector.ask(request, NEVER)).toMatchObject({ kind });
  expect(twin.orders().map((order) => order.sends)).toEqual([1]);
});
