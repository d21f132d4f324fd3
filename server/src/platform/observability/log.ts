import { type DestinationStream, type Logger, pino } from "pino";
import { redact } from "./redact.ts";
import { standardOutput } from "./standard-output.ts";
import { isText, type LogFormat, textLines } from "./text-lines.ts";

export type Log = Logger;

/** What lines are made of beside their fields. */
type LineWriter = { readonly destination: DestinationStream; readonly time: () => string };

const lineWriters = new WeakMap<Log, LineWriter>();

/** The service's log on standard output: JSON lines for programs, plain ones for a person at a terminal. */
export function createOutputLog({ level, format }: { readonly level: string; readonly format: LogFormat }): Log {
  const output = standardOutput();
  return createLog(level, isText(format) ? textLines(output, process.stdout.hasColors?.() ?? false) : output);
}

/** JSON lines; no line leaves with a secret in it. */
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
 * Writes a line at info whose fields are JSON already, as in `"status":200`: for the one line that every request has,
 * which would be a tenth of its cost if the logger had to find out what is in it.
 */
export function writeInfo(log: Log, fields: string, message: string): void {
  const writer = lineWriters.get(log);
  if (!writer) throw new Error("This log was not opened by createLog.");
  if (log.isLevelEnabled("info")) writer.destination.write(redact(`{"level":"info"${writer.time()},${fields},"message":"${message}"}\n`));
}

/** The time of a line; everything but its milliseconds is written once a second. */
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
