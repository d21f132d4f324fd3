import { type DestinationStream, type Logger, pino } from "pino";
import { redact } from "./redact.ts";

export type Log = Logger;

/** JSON lines on standard output; no line leaves with a secret in it. */
export function openLog(level: string, destination: DestinationStream = pino.destination({ fd: 1, sync: true })): Log {
  return pino(
    {
      level,
      base: null,
      messageKey: "message",
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: redact },
    },
    destination,
  );
}
