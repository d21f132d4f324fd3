import { type DestinationStream, type Logger, pino } from "pino";
import { redact } from "./redact.ts";
import { standardOutput } from "./standard-output.ts";
import { isText, type LogFormat, textLines } from "./text-lines.ts";

export type Log = Logger;

/** Where `writeInfo` writes the lines of a log, and their timestamps. */
type LineWriter = { readonly destination: DestinationStream; readonly time: () => string };

const lineWriters = new WeakMap<Log, LineWriter>();

/** The service's log on standard output: JSON lines, or readable lines on a terminal. */
export function createOutputLog({ level, format }: { readonly level: string; readonly format: LogFormat }): Log {
  const output = standardOutput();
  return createLog(level, isText(format) ? textLines(output, process.stdout.hasColors?.() ?? false) : output);
}

/** Creates a log of JSON lines from which secrets are redacted. */
export function createLog(level: string, destination: DestinationStream = standardOutput()): Log {
  const time = isoTime();
  const log = pino(
    {
      level,
      base: null,
      messageKey: "message",
      timestamp: time,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: redact },
    },
    destination,
  );
  lineWriters.set(log, { destination, time });
  return log;
}

/**
 * Writes a line at level info whose fields are already JSON, as in `"status":200`. It is used for the line that every
 * request writes, because serialising that line took ten per cent of a request's cost.
 */
export function writeInfo(log: Log, fields: string, message: string): void {
  const writer = lineWriters.get(log);
  if (!writer) throw new Error("This log was not created by createLog.");
  if (log.isLevelEnabled("info")) writer.destination.write(redact(`{"level":"info"${writer.time()},${fields},"message":"${message}"}\n`));
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
