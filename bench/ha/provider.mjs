import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { atEnd } from "../closing.mjs";

const NAME = "counting";

/** A provider that counts how often each number was charged. It answers a status request from what it charged. */
export async function startProvider() {
  /** @type {Map<string, { count: number, number: string }>} by our reference */
  const charges = new Map();
  const server = createServer(async (request, response) => {
    const answer = (body) => response.setHeader("content-type", "application/json").end(JSON.stringify(body));
    if (request.method === "GET") {
      const reference = new URL(request.url, "http://provider").searchParams.get("reference");
      return answer(charges.has(reference) ? charged(reference) : { reference, status: "NONE" });
    }
    const { reference, number } = await json(request);
    charges.set(reference, { count: (charges.get(reference)?.count ?? 0) + 1, number });
    answer(charged(reference));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd("processes", () => server.closeAllConnections());
  atEnd("processes", () => server.close());
  return { port: server.address().port, chargesByNumber: () => byNumber(charges) };
}

function charged(reference) {
  return { reference, status: "SUCCESS", txn_id: `T${reference}`, operator_ref: `OP${reference}` };
}

function byNumber(charges) {
  const totals = new Map();
  for (const { count, number } of charges.values()) totals.set(number, (totals.get(number) ?? 0) + count);
  return totals;
}

/** Sends every recharge to it, as an operator would set it up. */
export async function useProvider({ call }, port) {
  await call("/providers", { definition: description(port), secrets: {} });
  await call("/routes", { service: "recharge", operator: "*", provider: NAME });
}

function description(port) {
  const success = { when: { status: "SUCCESS" }, means: "success" };
  return {
    version: 2,
    name: NAME,
    base_url: `http://127.0.0.1:${port}`,
    plain_http: true,
    read: { reference: "reference", provider_ref: "txn_id", operator_ref: "operator_ref" },
    polling: { first_after_seconds: 1, every_seconds: 1, quiet_seconds: 5 },
    operations: {
      "recharge.pay": {
        request: { url: "/recharges", method: "POST", body: { json: { reference: "{reference}", number: "{target}" } } },
        outcome: [success],
        status: {
          request: { url: "/recharges", query: { reference: "{reference}" } },
          outcome: [success, { when: { status: "NONE" }, means: "not_found" }],
        },
      },
    },
  };
}
