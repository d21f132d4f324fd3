import { styleText } from "node:util";
import { CorprailError, UsageError } from "@corprail/sdk";
import { redact } from "@corprail/server/platform/observability/redact";
import { type Config, readConfig } from "@corprail/server/settings/config";
import { EXIT_CODES, errorText, failed, type Outcome, UsageFault } from "./outcome.ts";
import { refusal } from "./refusal.ts";

/** The context of a client command: it knows nothing of the service's configuration. */
export type ClientContext = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Says on standard error what is going on; standard output holds the result alone. */
  readonly note: (text: string) => void;
  /** Somebody sits at a terminal and may be asked. */
  readonly mayAsk: boolean;
};

export type CommandContext = ClientContext & { readonly config: Config };

export type OutputOptions = { readonly json?: boolean; readonly input?: boolean };

/** Runs a platform command: configuration, work, result. */
export async function runCommand(verb: (ctx: CommandContext) => Promise<Outcome>, options: OutputOptions): Promise<number> {
  return await runClientCommand(async (ctx) => {
    const read = readConfig(process.env, process.cwd());
    if (!read.ok) throw new UsageFault(read.message);
    return await verb({ ...ctx, config: read.config });
  }, options);
}

/** Runs any command. An unexpected error ends here, in one line. */
export async function runClientCommand(verb: (ctx: ClientContext) => Promise<Outcome>, options: OutputOptions): Promise<number> {
  const mayAsk = options.input !== false && process.stdin.isTTY === true && process.stderr.isTTY === true;
  const outcome = await verb({ environment: process.env, note, mayAsk }).catch(unexpected);
  show(outcome, options);
  return outcome.exitCode;
}

function unexpected(error: unknown): Outcome {
  if (error instanceof UsageFault || error instanceof UsageError) return { ...failed(error.message), exitCode: EXIT_CODES.usage };
  return error instanceof CorprailError ? refusal(error) : failed(systemErrorText(error) ?? errorText(error));
}

const CHECK_ADDRESS = "Check CORPRAIL_DATABASE_URL (for a cell CORPRAIL_CELLS)";

/** The operating system's errors name a code and a call, which say little to the person at the terminal. */
function systemErrorText(error: unknown): string | null {
  // A name with several addresses was tried at each of them.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Error)) return null;
  const { code, path, syscall, address, port, hostname } = first as Error & Partial<SystemError>;
  // Client commands learn of their connections from the SDK, so this one is to a database.
  if (syscall === "connect") return `The database at ${address}:${port} cannot be reached (${code}). ${CHECK_ADDRESS}, and that it runs.`;
  if (syscall === "getaddrinfo") return `The database's host ${hostname} has no address (${code}). ${CHECK_ADDRESS}.`;
  if (code === "EADDRINUSE") return `Another program is listening on ${address}:${port}. Choose another port.`;
  if (code === "EISDIR") return "The path is a folder. Name a file.";
  if (path === undefined) return null;
  if (code === "ENOENT") return `There is no file or folder ${path}.`;
  if (code === "ENOTDIR") return `A part of the path ${path} is a file, not a folder.`;
  return code === "EACCES" ? `You may not open ${path}. Run the command as the user who owns it.` : null;
}

type SystemError = {
  readonly code: string;
  readonly path: string;
  readonly syscall: string;
  readonly address: string;
  readonly port: number;
  readonly hostname: string;
};

function note(text: string): void {
  process.stderr.write(`${redact(text)}\n`);
}

function show(outcome: Outcome, options: OutputOptions): void {
  const lines = options.json ? [JSON.stringify({ ok: outcome.ok, ...outcome.fields })] : shownLines(outcome);
  // In one piece: a reader such as head may be gone before a second one.
  if (lines.length > 0) process.stdout.write(`${cleaned(lines.join("\n"), outcome.revealed ?? [])}\n`);
  if (!outcome.ok) note(coloured("red", outcome.text, process.stderr));
  for (const line of outcome.next ?? []) note(line);
}

function cleaned(text: string, [kept, ...others]: readonly string[]): string {
  if (kept === undefined) return redact(text);
  return text
    .split(kept)
    .map((part) => cleaned(part, others))
    .join(kept);
}

function shownLines({ ok, text, report }: Outcome): readonly string[] {
  return [...(report === null ? [] : [report]), ...(ok ? [coloured("green", text, process.stdout)] : [])];
}

// Node leaves the colour out when the stream is no terminal or NO_COLOR is set.
export function coloured(colour: "green" | "red" | "yellow", text: string, stream: NodeJS.WriteStream): string {
  return styleText(colour, text, { stream });
}
