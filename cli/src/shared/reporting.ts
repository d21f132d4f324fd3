import type { Command } from "commander";
import type { Outcome } from "./outcome.ts";
import { type ClientContext, type CommandContext, type OutputOptions, runClientCommand, runCommand } from "./run-command.ts";

/** A command's work: its arguments in their order, and then its options. */
type Work<Context, Given extends readonly unknown[]> = (ctx: Context, ...given: Given) => Promise<Outcome>;
type Run<Context> = (verb: (ctx: Context) => Promise<Outcome>, options: OutputOptions) => Promise<number>;

/** A platform command: the service's configuration is read before its work. */
export function reporting<Given extends readonly unknown[]>(command: Command, work: Work<CommandContext, Given>, line: string): Command {
  return framed(command, work, line, runCommand);
}

/** A client command: it needs no installation on this machine, and calls one over the network if any. */
export function reportingClient<Given extends readonly unknown[]>(
  command: Command,
  work: Work<ClientContext, Given>,
  line: string,
): Command {
  return framed(command, work, line, runClientCommand);
}

/** What every command but serve has: --json, --no-input, an example, and the frame around its work. */
function framed<Context, Given extends readonly unknown[]>(
  command: Command,
  work: Work<Context, Given>,
  line: string,
  run: Run<Context>,
): Command {
  return command
    .option("--json", "write the result as one JSON object")
    .option("--no-input", "never ask; end with 2 where something is missing")
    .addHelpText("after", example(line))
    .action(async (...all: unknown[]) => {
      // The last one is the command itself.
      const given = all.slice(0, -1) as unknown as Given;
      process.exitCode = await run((ctx) => work(ctx, ...given), command.opts<OutputOptions>());
    });
}

/** A name with commands under it. */
export function group(command: Command, line: string): Command {
  return command.helpCommand(false).addHelpText("after", example(line));
}

export function example(line: string): string {
  return `\nExample:\n  $ ${line}`;
}
