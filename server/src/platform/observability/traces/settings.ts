import type { Sampler } from "./tracer.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where traces go. Read from OpenTelemetry's own variables. */
export type TraceSettings = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Readonly<Record<string, string>>;
  readonly timeoutMilliseconds: number;
  readonly maxQueue: number;
  readonly maxBatch: number;
  readonly pauseMilliseconds: number;
  readonly sampler: Sampler;
};

export type ReadTraceSettings = { readonly settings: TraceSettings | null; readonly faults: readonly string[] };

/** Null unless an endpoint is set: traces are off by default. */
export function readTraceSettings(environment: Environment): ReadTraceSettings {
  const faults: string[] = [];
  const text = (name: string) => environment[name]?.trim() ?? "";
  const url = endpointOf(text);
  const isOff = text("OTEL_SDK_DISABLED").toLowerCase() === "true" || text("OTEL_TRACES_EXPORTER") === "none";
  if (url === null || isOff) return { settings: null, faults };
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    faults.push("OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address.");
  const protocol = text("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") || text("OTEL_EXPORTER_OTLP_PROTOCOL");
  if (protocol !== "" && protocol !== "http/json")
    faults.push(`OTEL_EXPORTER_OTLP_PROTOCOL must be http/json, not ${JSON.stringify(protocol)}.`);
  const whole = (name: string, fallback: number) => {
    const given = text(name);
    if (given === "") return fallback;
    if (/^[1-9][0-9]{0,6}$/.test(given)) return Number(given);
    faults.push(`${name} must be a whole number above zero.`);
    return fallback;
  };
  const sampler = samplerOf(text("OTEL_TRACES_SAMPLER") || "parentbased_always_on", text("OTEL_TRACES_SAMPLER_ARG"));
  if (sampler === null)
    faults.push("OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG do not name a known sampler and a share between 0 and 1.");
  const settings = {
    url,
    headers: pairs(text("OTEL_EXPORTER_OTLP_TRACES_HEADERS") || text("OTEL_EXPORTER_OTLP_HEADERS")),
    resource: { ...pairs(text("OTEL_RESOURCE_ATTRIBUTES")), "service.name": text("OTEL_SERVICE_NAME") || "corprail" },
    timeoutMilliseconds: whole("OTEL_EXPORTER_OTLP_TIMEOUT", 10_000),
    maxQueue: whole("OTEL_BSP_MAX_QUEUE_SIZE", 2_048),
    maxBatch: whole("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 512),
    pauseMilliseconds: whole("OTEL_BSP_SCHEDULE_DELAY", 5_000),
    sampler: sampler ?? (() => false),
  };
  return { settings, faults };
}

function endpointOf(text: (name: string) => string): string | null {
  const own = text("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  if (own !== "") return own;
  const common = text("OTEL_EXPORTER_OTLP_ENDPOINT");
  return common === "" ? null : `${common.replace(/(?<!\/)\/+$/, "")}/v1/traces`;
}

/** Pairs as OpenTelemetry writes them: key=value with commas between, values percent-encoded. */
function pairs(text: string): Readonly<Record<string, string>> {
  const entries = text.split(",").map((part) => part.split("=", 2).map((one) => one.trim()));
  return Object.fromEntries(
    entries.filter(([name, value]) => name && value !== undefined).map(([name, value]) => [name, decoded(value ?? "")]),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function samplerOf(name: string, share: string): Sampler | null {
  const isParentBased = name.startsWith("parentbased_");
  const root = rootSampler(name.replace("parentbased_", ""), share);
  if (root === null) return null;
  return (traceId, parent) => (isParentBased && parent !== null ? parent.isSampled : root(traceId));
}

function rootSampler(name: string, share: string): ((traceId: string) => boolean) | null {
  if (name === "always_on") return () => true;
  if (name === "always_off") return () => false;
  const ratio = share === "" ? 1 : Number(share);
  if (name !== "traceidratio" || !(ratio >= 0 && ratio <= 1)) return null;
  // The last 7 bytes of an id are random, so that all services decide the same way.
  return (traceId) => Number.parseInt(traceId.slice(-14, -1), 16) / 16 ** 13 < ratio;
}
