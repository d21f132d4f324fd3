import { type DestinationStream, type Logger, pino } from "pino";
import { redact } from "./redact.ts";
import { standardOutput } from "./standard-output.ts";
import { isText, type LogFormat, textLines } from "./text-lines.ts";
import { currentTrace } from "./traces/tracer.ts";

export type Log = Logger;

/** Where `writeInfo` writes the lines of a log, and their timestamps. */
type LineWriter = { readonly destination: DestinationStream; readonly time: () => string; readonly own: string };

const lineWriters = new WeakMap<Log, LineWriter>();

export type OutputLogOptions = {
  readonly level: string;
  readonly format: LogFormat;
  /** The number of the worker that writes, if there are several. */
  readonly worker?: number;
  readonly output?: DestinationStream;
};

/** The service's log on standard output: JSON lines, or readable lines on a terminal. */
export function createOutputLog({ level, format, worker, output = standardOutput() }: OutputLogOptions): Log {
  const destination = isText(format) ? textLines(output, process.stdout.hasColors?.() ?? false) : output;
  return createLog(level, destination, worker === undefined ? null : { worker });
}

/** Creates a log of JSON lines from which secrets are redacted. */
export function createLog(
  level: string,
  destination: DestinationStream = standardOutput(),
  base: Readonly<Record<string, number>> | null = null,
): Log {
  const time = isoTime();
  const log = pino(
    {
      level,
      base,
      messageKey: "message",
      mixin: traceFields,
      timestamp: time,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: redact },
    },
    destination,
  );
  const own = Object.entries(base ?? {}).map(([name, value]) => `,"${name}":${value}`);
  lineWriters.set(log, { destination, time, own: own.join("") });
  return log;
}

/** The trace in which a line was written, so that the log can be searched by it. */
function traceFields(): object {
  const trace = currentTrace();
  // A new object each time, because pino writes the line's own fields into it.
  return trace === undefined ? {} : { trace_id: trace.traceId, span_id: trace.spanId };
}

/**
 * Writes a line at level info whose fields are already JSON, as in `"status":200`. It is used for the line that every
 * request writes, because serialising that line took ten per cent of a request's cost.
 */
export function writeInfo(log: Log, fields: string, message: string): void {
  const writer = lineWriters.get(log);
  if (!writer) throw new Error("This log was not created by createLog.");
  if (!log.isLevelEnabled("info")) return;
  writer.destination.write(redact(`{"level":"info"${writer.time()}${writer.own},${fields},"message":"${message}"}\n`));
}

/** Formats the time of a line. Everything but the milliseconds is formatted once per second. */
function isoTime(): () => string {
  let second = 0;
  let start = "";
  return () => {
    const now = Date.now();
    const thisSecond = Math.floor(now / 1000);
    if (thisSecond !== second) {
      second = thisSecond;
      start = `,"time":"${new Date(now).toISOString().slice(0, 20)}`;
    }
    return `${start}${String(now - thisSecond * 1000).padStart(3, "0")}Z"`;
  };
}
