import type { Command } from "commander";
import type { Outcome } from "./outcome.ts";
import { type CommandContext, type OutputOptions, runCommand } from "./run-command.ts";

/** A command's work: its arguments in their order, and then its options. */
type Work<Given extends readonly unknown[]> = (ctx: CommandContext, ...given: Given) => Promise<Outcome>;

/** What every command but serve has: --json, an example, and the frame around its work. */
export function reporting<Given extends readonly unknown[]>(command: Command, work: Work<Given>, line: string): Command {
  return command
    .option("--json", "write the result as one JSON object")
    .addHelpText("after", example(line))
    .action(async (...all: unknown[]) => {
      // The last one is the command itself.
      const given = all.slice(0, -1) as unknown as Given;
      process.exitCode = await runCommand((ctx) => work(ctx, ...given), command.opts<OutputOptions>());
    });
}

/** A name with commands under it. */
export function group(command: Command, line: string): Command {
  return command.helpCommand(false).addHelpText("after", example(line));
}

export function example(line: string): string {
  return `\nExample:\n  $ ${line}`;
}
