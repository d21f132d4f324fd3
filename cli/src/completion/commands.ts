import { Argument, type Command } from "commander";
import { example } from "../shared/reporting.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { commandTree, type Node } from "./tree.ts";
import { zshScript } from "./zsh.ts";

const SCRIPTS: Readonly<Record<string, (nodes: readonly Node[]) => string>> = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** The last command to be added: it tells of all the others. */
export function completionCommand(program: Command): void {
  program
    .command("completion")
    .addArgument(new Argument("<shell>").choices(Object.keys(SCRIPTS)))
    .summary("Write a script that completes commands in your shell")
    .description("Write a script that completes commands and options in your shell.")
    .addHelpText("after", example('eval "$(corprail completion bash)"'))
    .action((shell: string) => {
      process.stdout.write(SCRIPTS[shell]?.(commandTree(program)) ?? "");
    });
}
