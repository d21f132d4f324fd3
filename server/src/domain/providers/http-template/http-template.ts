import type { Clock } from "../../../platform/core/clock.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import type { Connector, Finding, Outcome, ProviderRequest, Recorder } from "../connector.ts";
import { cleaner } from "../masking/cleaner.ts";
import { secretMask } from "../masking/mask-secrets.ts";
import { createWire, type Egress, type Wire } from "../wire/exchange.ts";
import { buildCall, type Secrets } from "./build-call.ts";
import type { CallDefinition, Definition } from "./definition.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { readTemplateCallback } from "./read-callback.ts";

export type HttpTemplateDependencies = {
  readonly definition: Definition;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly egress: Egress;
};

type Open = HttpTemplateDependencies & { readonly wire: Wire; readonly clean: (text: string) => string };

/** A connector that is described by a JSON file instead of code (docs/providers.md). */
export function createHttpTemplate(deps: HttpTemplateDependencies): Connector {
  const { definition, secrets } = deps;
  const { connect_ms: connectMilliseconds, whole_ms: wholeMilliseconds } = definition.timeouts;
  const wire = createWire({ connectMilliseconds, wholeMilliseconds, egress: deps.egress, mask: secretMask(Object.values(secrets)) });
  const open: Open = { ...deps, wire, clean: cleaner(secrets) };
  const { callback } = definition;
  return {
    operations: new Set(["recharge.pay"]),
    query: async () => ({ kind: "unavailable", why: "a description of version 1 has no queries" }),
    unsuitable: (request) => {
      const built = buildCall(definition, definition.request, request, secrets, deps.clock.now());
      return built.ok ? null : { why: built.why, failure: built.failure };
    },
    send: async (request, signal, record) => toOutcome(await run(open, "request", request, signal, record)),
    ask: async (request, signal, record) => asked(await run(open, "status", request, signal, record)),
    quietMilliseconds: definition.quiet_ms,
    timeoutMilliseconds: wholeMilliseconds,
    ...(callback
      ? {
          readCallback: (message) => readTemplateCallback(callback, secrets, open.clean, message),
          callbackKeyName: callback.auth.name,
        }
      : {}),
    close: () => wire.close(),
  };
}

async function run(
  open: Open,
  name: "request" | "status",
  request: ProviderRequest,
  signal: AbortSignal,
  record: Recorder | undefined,
): Promise<Finding> {
  const call: CallDefinition = open.definition[name];
  const built = buildCall(open.definition, call, request, open.secrets, open.clock.now());
  if (!built.ok) return { kind: "not_sent", why: built.why, fault: "order", failure: built.failure };
  const exchange = await open.wire.exchange(built.call, signal, {
    operation: name === "request" ? "recharge.pay" : "recharge.pay.status",
    record,
    readable: [request.reference, request.target, formatMoney(request.amount)],
  });
  if (exchange.kind !== "answered") return exchange;
  return judgeAnswer(call, exchange.answer, { reference: request.reference, clean: open.clean }).finding;
}

// A request's description cannot declare these two, so this is only a safeguard.
function toOutcome(finding: Finding): Outcome {
  return finding.kind === "reversed" || finding.kind === "not_found"
    ? { kind: "unknown", why: `the answer says ${finding.kind}` }
    : finding;
}

// A status query that could not be sent says nothing about the order.
function asked(finding: Finding): Finding {
  return finding.kind === "not_sent" ? { ...finding, kind: "unknown", why: `could not ask: ${finding.why}` } : finding;
}
