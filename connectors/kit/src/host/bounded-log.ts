import type { Clock, LogFields, PluginLog } from "../plugin.ts";

export type LogLevel = "info" | "warn" | "error";
/** Where a plug-in's lines go. */
export type LogSink = (level: LogLevel, text: string, fields: LogFields) => void;

const LONGEST_TEXT = 500;
const LONGEST_FIELD = 200;
const MOST_FIELDS = 12;
const MINUTE_MS = 60_000;

type LogOptions = {
  readonly sink: LogSink;
  readonly hide: (text: string) => string;
  readonly clock: Clock;
  readonly linesPerMinute: number;
};

/** A log that a plug-in cannot flood, and in which its secrets are masked. It takes whatever it is given. */
export function createBoundedLog({ sink, hide, clock, linesPerMinute }: LogOptions): PluginLog {
  let minute = 0;
  let lines = 0;
  const write = (level: LogLevel) => (text: unknown, fields?: unknown) => {
    const now = Math.floor(clock.now() / MINUTE_MS);
    if (now !== minute) {
      if (lines > linesPerMinute) sink("warn", `${lines - linesPerMinute} lines of the plug-in were left out`, {});
      [minute, lines] = [now, 0];
    }
    lines++;
    if (lines <= linesPerMinute) sink(level, hide(textOf(text)).slice(0, LONGEST_TEXT), fieldsOf(fields, hide));
  };
  return { info: write("info"), warn: write("warn"), error: write("error") };
}

function fieldsOf(fields: unknown, hide: (text: string) => string): LogFields {
  if (typeof fields !== "object" || fields === null) return {};
  const pairs = Object.entries(fields).slice(0, MOST_FIELDS);
  return Object.fromEntries(pairs.map(([name, value]) => [name.slice(0, 50), fieldOf(value, hide)]));
}

function fieldOf(value: unknown, hide: (text: string) => string): string | number | boolean | null {
  if (typeof value === "number" || typeof value === "boolean" || value === null) return value;
  return hide(textOf(value)).slice(0, LONGEST_FIELD);
}

// An object of the plug-in may throw when it is turned into text.
function textOf(value: unknown): string {
  try {
    return value instanceof Error ? `${value.name}: ${value.message}` : String(value);
  } catch {
    return "a value that has no text";
  }
}
