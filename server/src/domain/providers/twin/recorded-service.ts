import type { RecordedAnswer, Recording } from "../recording/recording.ts";
import type { Behaviour, TwinFault } from "./behaviour.ts";
import type { Incoming } from "./routes.ts";
import type { Answered, TwinEvent } from "./service.ts";

/** One recorded call, and what is needed to know it again. */
type Entry = {
  readonly operation: string;
  readonly isSend: boolean;
  /** The reference of the recorded order; empty for a query. */
  readonly reference: string;
  readonly method: string;
  readonly path: RegExp;
  readonly text: string;
  readonly words: ReadonlySet<string>;
  readonly answer: RecordedAnswer;
};

export type RecordedOptions = { readonly fault?: TwinFault | undefined; readonly onEvent: (event: TwinEvent) => void };

/** Answers requests with recorded answers. Calls of one kind get them in their order for each reference, and the last one stays. */
export function createRecordedService(recording: Recording, options: RecordedOptions): (incoming: Incoming) => Answered {
  const entries = entriesOf(recording);
  const served = new Map<string, number>();
  const wire = options.fault === undefined ? undefined : WIRES[options.fault];
  return (incoming) => {
    const best = bestEntry(entries, incoming);
    if (best === null) {
      options.onEvent({ kind: "request", operation: null, reference: null, answered: "404" });
      return notRecorded(incoming);
    }
    const reference = referenceIn(best, incoming);
    const alike = entries.filter((one) => one.operation === best.operation && one.path.source === best.path.source);
    const key = `${best.operation} ${best.path.source} ${reference ?? ""}`;
    const count = served.get(key) ?? 0;
    served.set(key, count + 1);
    const entry = alike[Math.min(count, alike.length - 1)] ?? best;
    const answered = answeredBy(entry, reference, entry.isSend ? wire : undefined);
    const shown = answered.wire ?? String(answered.answer.status);
    options.onEvent({ kind: "request", operation: entry.operation, reference, answered: shown });
    return answered;
  };
}

/** The faults of a connection. A recording has no callbacks and no other results. */
const WIRES: Partial<Record<TwinFault, NonNullable<Behaviour["wire"]>>> = {
  slow: "slow",
  cut: "cut",
  "500": "500",
  "double-answer": "double-answer",
};

export function isFaultOfConnection(fault: TwinFault): boolean {
  return WIRES[fault] !== undefined;
}

function entriesOf({ operations }: Recording): readonly Entry[] {
  return operations.flatMap(({ part, input, exchanges }) => {
    const reference = typeof input["reference"] === "string" ? input["reference"] : "";
    return exchanges.map(({ operation, request, answer }): Entry => {
      const [line = ""] = request;
      const [method = "", url = ""] = line.split(" ");
      const target = url.replace(/^https?:\/\/[^/?]*/, "");
      const [path = "", query = ""] = target.split("?");
      const body = request.slice(request.indexOf("") + 1).join("\n");
      const text = `${path}?${query}\n${body}`;
      const isSend = part === "send" && operation !== "login";
      return { operation, isSend, reference, method, path: pathPattern(path, reference), text, words: wordsIn(text), answer };
    });
  });
}

function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** The same path for another order: what was masked, and the order's reference, may be anything. */
function pathPattern(path: string, reference: string): RegExp {
  const segments = path.split("/").map((segment) => {
    const isValue = /hidden_value|0{4}[0-9]{4}/.test(segment) || (reference !== "" && segment.includes(reference));
    return isValue ? "[^/]+" : quoted(segment);
  });
  return new RegExp(`^${segments.join("/")}$`);
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/[A-Za-z_][A-Za-z0-9_]+/g) ?? []);
}

/** The recorded call that has most words of the request, among those with its method and path. */
function bestEntry(entries: readonly Entry[], incoming: Incoming): Entry | null {
  const [path = "", query = ""] = incoming.url.split("?");
  const words = wordsIn(`${path}?${query}\n${incoming.body}`);
  const share = (entry: Entry) => [...entry.words].filter((word) => words.has(word)).length / Math.max(1, entry.words.size);
  const fitting = entries.filter((entry) => entry.method === incoming.method && entry.path.test(path));
  return fitting.reduce<Entry | null>((best, entry) => (best === null || share(entry) > share(best) ? entry : best), null);
}

/** The reference that a request has where the recorded one has its own. */
function referenceIn({ reference, text }: Entry, { url, body }: Incoming): string | null {
  const at = reference === "" ? -1 : text.indexOf(reference);
  if (at < 0) return null;
  const before =
    text
      .slice(0, at)
      .split(/[,&?{}\s]/)
      .at(-1) ?? "";
  const found = new RegExp(`${quoted(before)}([^&"<,}\\s/?|]+)`).exec(`${url.includes("?") ? url : `${url}?`}\n${body}`);
  return found?.[1] ?? null;
}

function answeredBy({ answer, reference }: Entry, given: string | null, wire: Behaviour["wire"]): Answered {
  if ("kind" in answer) return { answer: { status: 503, headers: {}, body: Buffer.alloc(0) }, wire: "refused" };
  const body = given === null ? answer.body : answer.body.replaceAll(reference, given);
  return { answer: { status: answer.status, headers: answer.headers, body: Buffer.from(body, answer.encoding ?? "utf8") }, wire };
}

function notRecorded({ method, url }: Incoming): Answered {
  const body = Buffer.from(`The recording has no ${method} ${url.replace(/\?.*/s, "")}.\n`);
  return { answer: { status: 404, headers: { "content-type": "text/plain; charset=utf-8" }, body } };
}
