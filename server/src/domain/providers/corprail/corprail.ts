import { randomBytes } from "node:crypto";
import { type Clock, unixSeconds } from "../../../platform/core/clock.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import type { Connector, Finding, Outcome, ProviderRequest, Unsuitable } from "../connector.ts";
import { type Call, createWire, type Egress, type Wire } from "../wire/exchange.ts";
import { callbackReader } from "./read-callback.ts";
import { findingOfAsk, outcomeOfSend } from "./read-reply.ts";
import type { CorprailSettings } from "./settings.ts";
import { queryText, signature, type UnsignedCall } from "./sign-call.ts";

export type CorprailSecrets = { readonly token: string; readonly signingSecret: string; readonly callbackSecret: string };

export type CorprailDependencies = {
  readonly settings: CorprailSettings;
  readonly secrets: CorprailSecrets;
  readonly clock: Clock;
  readonly egress: Egress;
};

type Open = CorprailDependencies & { readonly wire: Wire };

const PATH = "/api/corp/v1/recharge";

/** A connector to another installation of this service through its signed client API. Our reference is its urid. */
export function createCorprailConnector(deps: CorprailDependencies): Connector {
  const { timeouts, quiet_ms: quietMilliseconds } = deps.settings;
  const wire = createWire({ connectMilliseconds: timeouts.connect_ms, wholeMilliseconds: timeouts.whole_ms, egress: deps.egress });
  const open: Open = { ...deps, wire };
  return {
    operations: new Set(["recharge.pay"]),
    query: async () => ({ kind: "unavailable", why: "this connector has no queries yet" }),
    unsuitable: (request) => unsuitable(open, request),
    send: (request, signal) => send(open, request, signal),
    ask: (request, signal) => ask(open, request, signal),
    quietMilliseconds,
    timeoutMilliseconds: timeouts.whole_ms,
    readCallback: callbackReader({ token: deps.secrets.token, callbackSecret: deps.secrets.callbackSecret }, deps.clock),
    close: () => wire.close(),
  };
}

async function send(open: Open, request: ProviderRequest, signal: AbortSignal): Promise<Outcome> {
  const against = unsuitable(open, request);
  if (against) return { kind: "not_sent", fault: "order", ...against };
  const body = JSON.stringify({
    account: request.target,
    operator: operatorOf(open.settings, request.operator),
    amount: formatMoney(request.amount),
    urid: request.reference,
    ...(request.circle === null ? {} : { circle: request.circle }),
  });
  const exchange = await open.wire.exchange(signed(open, { method: "POST", path: PATH, query: [], body }), signal);
  return exchange.kind === "answered" ? outcomeOfSend(exchange.answer, request.reference) : exchange;
}

async function ask(open: Open, request: ProviderRequest, signal: AbortSignal): Promise<Finding> {
  const call = signed(open, { method: "GET", path: PATH, query: [["urid", request.reference]], body: "" });
  const exchange = await open.wire.exchange(call, signal);
  if (exchange.kind === "answered") return findingOfAsk(exchange.answer, request.reference);
  // A status query that could not be sent says nothing about the order.
  return { ...exchange, kind: "unknown", why: `could not ask: ${exchange.why}` };
}

function unsuitable(open: Open, request: ProviderRequest): Unsuitable | null {
  if (request.service !== "recharge") return { why: `this connector does not serve ${request.service}`, failure: "unavailable" };
  if (operatorOf(open.settings, request.operator) !== null) return null;
  return { why: `this provider has no code for the operator ${request.operator}`, failure: "unavailable" };
}

function operatorOf(settings: CorprailSettings, ours: string): string | null {
  if (!settings.operators) return ours;
  return Object.hasOwn(settings.operators, ours) ? (settings.operators[ours] ?? null) : null;
}

// Every request has a new timestamp and nonce; only the reference stays the same.
function signed(open: Open, call: UnsignedCall): Call {
  const stamp = { timestamp: String(unixSeconds(open.clock)), nonce: randomBytes(16).toString("hex") };
  const query = queryText(call.query);
  return {
    method: call.method,
    origin: new URL(open.settings.base_url).origin,
    path: query === "" ? call.path : `${call.path}?${query}`,
    headers: {
      "x-api-token": open.secrets.token,
      "x-api-timestamp": stamp.timestamp,
      "x-api-nonce": stamp.nonce,
      "x-api-signature": signature(call, stamp, open.secrets.signingSecret),
      ...(call.body === "" ? {} : { "content-type": "application/json" }),
    },
    body: call.body === "" ? null : call.body,
  };
}
