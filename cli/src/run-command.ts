import { styleText } from "node:util";
import { type Config, readConfig } from "@corprail/server/config";
import { redact } from "@corprail/server/observe/redact";
import { EXIT_CODES, errorText, failed, type Outcome } from "./outcome.ts";

export type CommandContext = {
  readonly config: Config;
  /** Says on standard error what is going on; standard output holds the result alone. */
  readonly note: (text: string) => void;
};

export type Verb = (ctx: CommandContext) => Promise<Outcome>;
export type OutputOptions = { readonly json?: boolean };

/** The frame of every command: configuration, work, result. What was not expected ends here, in one line. */
export async function runCommand(verb: Verb, options: OutputOptions): Promise<number> {
  const read = readConfig(process.env, process.cwd());
  if (!read.ok) {
    show(failed(read.message), options);
    return EXIT_CODES.usage;
  }
  const outcome = await verb({ config: read.config, note }).catch((error: unknown) => failed(errorText(error)));
  show(outcome, options);
  return outcome.ok ? EXIT_CODES.ok : EXIT_CODES.failed;
}

function note(text: string): void {
  process.stderr.write(`${redact(text)}\n`);
}

function show(outcome: Outcome, options: OutputOptions): void {
  const lines = options.json ? [JSON.stringify({ ok: outcome.ok, ...outcome.fields })] : shownLines(outcome);
  // In one piece: a reader such as head may be gone before a second one.
  if (lines.length > 0) process.stdout.write(`${redact(lines.join("\n"))}\n`);
  if (!outcome.ok) note(coloured("red", outcome.text, process.stderr));
}

function shownLines({ ok, text, report }: Outcome): readonly string[] {
  return [...(report === null ? [] : [report]), ...(ok ? [coloured("green", text, process.stdout)] : [])];
}

// Node leaves the colour out when the stream is no terminal or NO_COLOR is set.
function coloured(colour: "green" | "red", text: string, stream: NodeJS.WriteStream): string {
  return styleText(colour, text, { stream });
}
