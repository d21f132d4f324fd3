import { styleText } from "node:util";
import { CorprailError, UsageError } from "@corprail/sdk";
import { type Config, readConfig } from "@corprail/server/config";
import { redact } from "@corprail/server/platform/observability/redact";
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
  return error instanceof CorprailError ? refusal(error) : failed(errorText(error));
}

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
