import { type CallbackReading, DECLINE_REASONS, isQuery, type StateStore, transactionOf, type WireRequest } from "@corprail/connector";
import {
  type HostedFinding,
  type HostedOutcome,
  type HostedRequest,
  hostConnector,
  type LogSink,
  type RawWire,
} from "@corprail/connector/host";
import type { Clock } from "../../../platform/core/clock.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import type { Log } from "../../../platform/observability/log.ts";
import type { FailureCode } from "../../shared/failure.ts";
import { referenceText } from "../callbacks/reference-text.ts";
import { type CallbackRefusal, refusedCallback } from "../callbacks/refused-callback.ts";
import type { Connector, Finding, Outcome, OwnFault, ProviderRequest, Recorder, Report, Unsuitable } from "../connector.ts";
import { secretMask } from "../masking/mask-secrets.ts";
import { type Call, type CreateWire, createWire, type Egress, type Wire } from "../wire/exchange.ts";
import type { PluginSetup } from "./plugin-settings.ts";

export type PluginConnectorOptions = {
  readonly provider: string;
  readonly setup: PluginSetup;
  readonly secrets: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly egress: Egress;
  readonly state: StateStore;
  readonly log: Log;
  readonly createWire?: CreateWire | undefined;
};

const CONNECT_MILLISECONDS = 5000;

/** Runs a plug-in as a connector. The host in `@corprail/connector` checks everything that the plug-in returns. */
export function createPluginConnector(options: PluginConnectorOptions): Connector {
  const { provider, secrets, clock, state, log } = options;
  const { plugin, settings, origins } = options.setup;
  const hidden = hiddenTexts(Object.values(secrets));
  const wire = (options.createWire ?? createWire)({
    egress: options.egress,
    connectMilliseconds: CONNECT_MILLISECONDS,
    wholeMilliseconds: plugin.timeoutMs,
    mask: hidden.mask,
    now: clock.now,
  });
  const hosted = hostConnector<Recorder>({
    ...{ plugin, provider, settings, secrets, clock, origins },
    wire: rawWire(wire, hidden),
    store: state,
    log: logSink(log, provider),
  });
  const operations = new Set(plugin.operations);
  const hostedRequest = (request: ProviderRequest): HostedRequest | null => {
    const operation = transactionOf(request.service, request.operation);
    return operation !== null && operations.has(operation) ? { ...plainRequest(request), operation } : null;
  };
  return {
    operations,
    unsuitable: (request) => unsuitable(options.setup, hostedRequest(request), request),
    send: async (request, signal, record) => {
      const given = hostedRequest(request);
      if (!given) return { kind: "not_sent", why: notServed(request), fault: "order", failure: "unavailable" };
      return outcomeOf(await hosted.send(given, signal, record));
    },
    ask: async (request, signal, record) => {
      const given = hostedRequest(request);
      if (!given) return { kind: "unknown", why: notServed(request), fault: "order" };
      return findingOf(await hosted.status(given, signal, record));
    },
    query: async (name, input, signal, record) =>
      operations.has(name)
        ? await hosted.query(name, input, signal, record)
        : { kind: "unavailable", why: `the plug-in ${plugin.name} has no ${name}` },
    quietMilliseconds: plugin.quietMs,
    timeoutMilliseconds: hosted.timeoutMs,
    ...(plugin.referenceForm ? { referenceForm: plugin.referenceForm } : {}),
    ...(plugin.polling ? { polling: { firstMilliseconds: plugin.polling.firstMs, everyMilliseconds: plugin.polling.everyMs } } : {}),
    ...(plugin.readCallback ? { readCallback: (message) => reportOf(hosted.readCallback(message)) } : {}),
    ...(plugin.callbackKeyName === undefined ? {} : { callbackKeyName: plugin.callbackKeyName }),
    ...callbackReplyOf(plugin),
    close: async () => {
      await hosted.close();
      await wire.close();
    },
  };
}

function callbackReplyOf({ callbackReply: reply }: PluginSetup["plugin"]): Pick<Connector, "callbackReply"> {
  return reply === undefined ? {} : { callbackReply: () => reply };
}

/** The details are copied: what a plug-in does to them must not reach another provider. */
function plainRequest(request: ProviderRequest): Omit<HostedRequest, "operation"> {
  const { reference, operator, target, circle, createdAt, details = {}, providerRef = null } = request;
  return {
    reference,
    operator,
    target,
    circle,
    createdAt,
    providerRef,
    details: structuredClone(details),
    amount: formatMoney(request.amount),
  };
}

function notServed({ service, operation }: ProviderRequest): string {
  return `the plug-in does not serve ${operation === "" ? service : `${service} ${operation}`}`;
}

function unsuitable({ plugin, settings }: PluginSetup, given: HostedRequest | null, request: ProviderRequest): Unsuitable | null {
  if (!given) return { why: notServed(request), failure: "unavailable" };
  if (!plugin.unsuitable) return null;
  try {
    const found = plugin.unsuitable(given, settings);
    if (typeof found !== "object" || found === null) return null;
    const { why, failure } = found as { readonly why?: unknown; readonly failure?: unknown };
    return {
      why: String(why)
        .replace(/\p{Cc}+/gu, " ")
        .slice(0, 200),
      failure: failureOf(failure),
    };
  } catch {
    // An order that cannot even be judged must not be charged.
    return { why: `the plug-in ${plugin.name} could not judge the order`, failure: "unavailable" };
  }
}

function failureOf(failure: unknown): FailureCode {
  return DECLINE_REASONS.find((reason) => reason === failure) ?? "unavailable";
}

const OWN_FAULTS: readonly OwnFault[] = ["order", "address", "name", "capacity", "shutdown", "connector", "credentials", "proxy"];

function outcomeOf({ fault, ...outcome }: HostedOutcome): Outcome {
  const ours = OWN_FAULTS.find((one) => one === fault);
  if (outcome.kind === "succeeded") return { ...outcome, operatorRef: referenceText(outcome.operatorRef) };
  return (outcome.kind === "not_sent" || outcome.kind === "unknown") && ours ? { ...outcome, fault: ours } : outcome;
}

function findingOf(finding: HostedFinding): Finding {
  return finding.kind === "reversed" || finding.kind === "not_found" ? finding : outcomeOf(finding);
}

function reportOf(reading: CallbackReading): Report | CallbackRefusal {
  if (reading.kind === "refused") return refusedCallback(reading.reason, reading.authentic ?? false, reading.reference ?? null);
  const { reference, referenceIs, finding } = reading;
  return { reference, ...(referenceIs ? { referenceIs } : {}), finding: finding.kind === "ask" ? finding : findingOf(finding) };
}

type HiddenTexts = { readonly add: (texts: readonly string[]) => void; readonly mask: (text: string) => string };

const MOST_HIDDEN = 300;

/** What the evidence must not show. A plug-in adds the tokens that it gets, and the oldest of them are forgotten. */
function hiddenTexts(secrets: readonly string[]): HiddenTexts {
  const hidden = new Set<string>();
  let mask = secretMask(secrets);
  return {
    mask: (text) => mask(text),
    add: (texts) => {
      const fresh = texts.filter((text) => !hidden.has(text));
      if (fresh.length === 0) return;
      for (const text of fresh) hidden.add(text);
      for (const text of [...hidden].slice(0, Math.max(0, hidden.size - MOST_HIDDEN))) hidden.delete(text);
      mask = secretMask([...secrets, ...hidden]);
    },
  };
}

/** The service's wire for a plug-in's requests, with what must be hidden in the evidence. */
function rawWire(wire: Wire, hidden: HiddenTexts): RawWire<Recorder> {
  return async (request, { signal, trace: record, hide }) => {
    hidden.add(hide);
    const exchange = await wire.exchange(callOf(request), signal, { operation: request.operation, record, hidden: hide });
    if (exchange.kind !== "answered") return exchange;
    const { status, headers, body, endMarked } = exchange.answer;
    return { kind: "answered", status, headers, body, text: body.toString("utf8"), endMarked };
  };
}

function callOf({ operation, method, url, headers = {}, body = null, timeoutMs, maxBytes }: WireRequest): Call {
  const { origin, pathname, search } = new URL(url);
  return {
    ...{ method, origin, headers },
    path: `${pathname}${search}`,
    body: body === null || typeof body === "string" ? body : Buffer.from(body),
    kind: isQuery(operation) ? "query" : "transaction",
    ...(timeoutMs === undefined ? {} : { wholeMilliseconds: timeoutMs }),
    ...(maxBytes === undefined ? {} : { maxAnswerBytes: maxBytes }),
  };
}

function logSink(log: Log, provider: string): LogSink {
  return (level, text, fields) => log[level]({ provider, plugin: fields }, text);
}
