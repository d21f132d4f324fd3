import { styleText } from "node:util";
import type { DestinationStream } from "pino";

export const LOG_FORMATS = ["auto", "json", "text"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

type Colour = "dim" | "cyan" | "yellow" | "red";
type Paint = (colour: Colour, text: string) => string;

const COLOURS: Readonly<Record<string, Colour>> = { trace: "dim", debug: "dim", info: "cyan", warn: "yellow", error: "red", fatal: "red" };
// Includes the C1 control characters, because some terminals read U+009B as the start of a command.
const CONTROL = /[\p{Cc}\u2028\u2029]/gu;
const PLAIN = /^[\w./:@%+,[\]-]+$/;

/** Whether to write readable lines: as configured, or if standard output is a terminal. */
export function isText(format: LogFormat, output: { readonly isTTY?: boolean } = process.stdout): boolean {
  return format === "text" || (format === "auto" && output.isTTY === true);
}

/** Converts the log's JSON lines, from which secrets are already redacted, to readable lines. */
export function textLines(output: DestinationStream, colours: boolean): DestinationStream {
  const paint: Paint = (colour, text) => (colours ? styleText(colour, text, { validateStream: false }) : text);
  return { write: (line) => output.write(textLine(line, paint)) };
}

function textLine(line: string, paint: Paint): string {
  const fields = parsed(line);
  if (fields === null) return line;
  const { level, time, message, err, ...others } = fields;
  const word = String(level);
  const start = [paint("dim", clockTime(time)), paint(COLOURS[word] ?? "dim", word.toUpperCase().padEnd(5))];
  const rest = message === "request" ? requestParts(others, paint) : [visible(String(message)), ...named(others, paint)];
  return `${[...start, ...rest].join(" ")}\n${errorLines(err)}`;
}

function parsed(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Formats a request as an access log does: method, path, status, duration. */
function requestParts(fields: Readonly<Record<string, unknown>>, paint: Paint): string[] {
  const { method, path, status, milliseconds, stages: _stages, ...others } = fields;
  const ended = Number(status) >= 500 ? paint("red", String(status)) : String(status);
  return [visible(String(method)), visible(String(path)), ended, paint("dim", `${milliseconds} ms`), ...named(others, paint)];
}

function named(fields: Readonly<Record<string, unknown>>, paint: Paint): string[] {
  return Object.entries(fields).map(([name, value]) => `${paint("dim", `${visible(name)}=`)}${shown(value)}`);
}

function shown(value: unknown): string {
  if (typeof value === "string" && PLAIN.test(value)) return value;
  return visible(JSON.stringify(value));
}

// Some lines contain text from a client, which must not be able to move the cursor or add a line.
function visible(text: string): string {
  return text.replace(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function errorLines(err: unknown): string {
  if (typeof err !== "object" || err === null) return "";
  const { stack, message } = err as { readonly stack?: unknown; readonly message?: unknown };
  const lines = String(stack ?? message).split("\n");
  return lines.map((line) => `    ${visible(line)}\n`).join("");
}

function clockTime(time: unknown): string {
  const at = new Date(String(time));
  if (Number.isNaN(at.getTime())) return visible(String(time));
  const two = (number: number) => String(number).padStart(2, "0");
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}
