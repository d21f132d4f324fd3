/** A request that stands for the others of its bucket, with the trace in which its details are. */
type Exemplar = { readonly traceId: string; readonly seconds: number; readonly at: number };

type Request = {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  readonly traceId: string;
};

export type Exemplars = {
  /** Keeps the newest request of each route, status and bucket. */
  readonly keep: (request: Request) => void;
  readonly find: (labels: string, bound: number) => Exemplar | undefined;
};

const METRIC = "corprail_http_request_seconds";
const MAX_SERIES = 2_000;

/** @param bounds the upper bounds of the buckets, ascending */
export function createExemplars(bounds: readonly number[]): Exemplars {
  const kept = new Map<string, Exemplar>();
  return {
    keep: ({ method, route, status, seconds, traceId }) => {
      const bound = bounds.find((one) => seconds <= one) ?? Number.POSITIVE_INFINITY;
      const key = `${sorted({ method, route, status: String(status) })} ${bound}`;
      if (kept.size < MAX_SERIES || kept.has(key)) kept.set(key, { traceId, seconds, at: Date.now() });
    },
    find: (labels, bound) => kept.get(`${labels} ${bound}`),
  };
}

function sorted(labels: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Whether a scraper prefers the OpenMetrics format, which alone can carry exemplars. */
export function wantsOpenMetrics(accept: string | undefined): boolean {
  return /application\/openmetrics-text/.test(accept ?? "");
}

export const OPEN_METRICS_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/** Prometheus' text in the OpenMetrics format: counters are named without _total in their description, and it has an end. */
export function toOpenMetrics(text: string, exemplars: Exemplars): string {
  const lines = text.split("\n").filter((line) => line !== "");
  const counters = new Set(lines.flatMap((line) => /^# TYPE (\w+)_total counter$/.exec(line)?.[1] ?? []));
  const converted = lines.map((line) => (line.startsWith("#") ? describe(line, counters) : withExemplar(line, exemplars)));
  return `${converted.join("\n")}\n# EOF\n`;
}

function describe(line: string, counters: ReadonlySet<string>): string {
  return line.replace(/^# (HELP|TYPE) (\w+)_total /, (whole, what: string, name: string) =>
    counters.has(name) ? `# ${what} ${name} ` : whole,
  );
}

function withExemplar(line: string, exemplars: Exemplars): string {
  if (!line.startsWith(`${METRIC}_bucket{`)) return line;
  const { le = "", ...labels } = labelsOf(line);
  const found = exemplars.find(sorted(labels), le === "+Inf" ? Number.POSITIVE_INFINITY : Number(le));
  return found === undefined ? line : `${line} # {trace_id="${found.traceId}"} ${found.seconds} ${(found.at / 1000).toFixed(3)}`;
}

function labelsOf(line: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...line.matchAll(/(?<!\w)(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = "", value = ""]) => [name, value]));
}
