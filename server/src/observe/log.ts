import { type DestinationStream, type Logger, pino } from "pino";
import { redact } from "./redact.ts";

export type Log = Logger;

const BUFFER_BYTES = 8 * 1024;
const FLUSH_MILLISECONDS = 100;

/** JSON lines on standard output; no line leaves with a secret in it. */
export function openLog(level: string, destination: DestinationStream = standardOutput()): Log {
  return pino(
    {
      level,
      base: null,
      messageKey: "message",
      timestamp: isoTime(),
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: redact },
    },
    destination,
  );
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

// One system call for many lines: a line a request, each written by itself, held every request up. What is left is
// written when the process exits.
function standardOutput(): DestinationStream {
  return pino.destination({ fd: 1, sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_MILLISECONDS });
}
