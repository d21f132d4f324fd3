import { defineConnector, type Outcome, type StatusFinding, type TransactionRequest, type WireAnswer } from "@corprail/connector";
import { z } from "zod";
import { readCallback } from "./callback.ts";
import { openSession } from "./session.ts";

const settings = z.strictObject({
  base_url: z.url({ protocol: /^https?$/ }),
  /** The provider's codes of our operators. */
  operators: z.record(z.string(), z.string()).default({}),
});

const transaction = z.object({
  ref: z.string(),
  id: z.string(),
  status: z.enum(["SUCCESS", "FAILED", "PENDING", "REFUNDED"]),
  operator_ref: z.string().default(""),
  code: z.string().default(""),
  message: z.string().default(""),
});
const missing = z.object({ error: z.literal("not_found"), ref: z.string() });
const balance = z.object({ balance: z.string() });

export default defineConnector({
  apiVersion: 1,
  name: "paywell",
  settings,
  secrets: ["client_secret", "callback_secret"],
  operations: ["recharge.pay", "balance"],
  origins: ({ base_url }) => [new URL(base_url).origin],
  quietMs: 120_000,
  unsuitable: ({ operator }, { operators }) =>
    operators[operator] === undefined ? { why: `Paywell has no code for the operator ${operator}` } : null,
  readCallback,

  open: ({ wire, clock, settings: { base_url, operators }, secrets, store, log }) => {
    const session = openSession({ wire, clock, store, log, url: `${base_url}/login`, clientSecret: secrets.client_secret });

    async function send(request: TransactionRequest): Promise<Outcome> {
      const body = JSON.stringify({
        ref: request.reference,
        operator: operators[request.operator],
        number: request.target,
        amount: request.amount,
      });
      const answer = await session.fetch({
        operation: request.operation,
        method: "POST",
        url: `${base_url}/recharges`,
        headers: { "content-type": "application/json" },
        body,
      });
      const found = readTransaction(answer, request.reference);
      // A new order cannot be missing or refunded: such an answer is not understood.
      return found.kind === "not_found" || found.kind === "reversed" ? { kind: "unknown", why: `the answer says ${found.kind}` } : found;
    }

    async function status(request: TransactionRequest): Promise<StatusFinding> {
      const url = `${base_url}/recharges/${encodeURIComponent(request.reference)}`;
      return readTransaction(await session.fetch({ operation: request.operation, method: "GET", url }), request.reference);
    }

    return {
      "recharge.pay": { send, status },
      balance: async () => {
        const answer = await session.fetch({ operation: "balance", method: "GET", url: `${base_url}/balance` });
        if (answer.kind !== "answered") return { kind: "unavailable", why: answer.why };
        const read = balance.safeParse(jsonOf(answer.text));
        return answer.status === 200 && read.success
          ? { kind: "answered", value: read.data }
          : { kind: "unavailable", why: `HTTP ${answer.status}, no balance` };
      },
    };
  },
});

/** Only what the provider provably said is final. Everything else is unknown, and will be asked about. */
function readTransaction(answer: WireAnswer, reference: string): StatusFinding {
  if (answer.kind !== "answered") return answer;
  const body = jsonOf(answer.text);
  const none = missing.safeParse(body);
  if (answer.status === 404 && none.success && none.data.ref === reference) return { kind: "not_found" };
  const read = transaction.safeParse(body);
  if (answer.status !== 200 || !read.success) return { kind: "unknown", why: `HTTP ${answer.status}, not an answer that we know` };
  const { ref, id: providerRef, status, operator_ref: operatorRef, code, message } = read.data;
  if (ref !== reference) return { kind: "unknown", why: "the answer is about another reference" };
  switch (status) {
    case "SUCCESS":
      return { kind: "succeeded", operatorRef, providerRef };
    case "PENDING":
      return { kind: "pending", why: message, providerRef };
    case "REFUNDED":
      return { kind: "reversed", reason: message, providerRef };
    case "FAILED":
      return { kind: "declined", reason: message, providerRef, ...declineOf(code) };
  }
}

/** What a failure says about other providers, and what the client reads. */
function declineOf(code: string): Pick<Extract<Outcome, { kind: "declined" }>, "decline" | "failure"> {
  if (code === "NUMBER") return { decline: "final", failure: "number_not_valid" };
  if (code === "FLOAT") return { decline: "float" };
  return code === "BUSY" ? { decline: "busy" } : { decline: "provider" };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
