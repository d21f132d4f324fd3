import type { Command, Option } from "commander";

export type Flag = {
  readonly name: string;
  readonly about: string;
  readonly takesValue: boolean;
  /** The values it takes; empty when any will do. */
  readonly choices: readonly string[];
};

/** One command, with the words that lead to it. */
export type Node = {
  readonly words: readonly string[];
  readonly about: string;
  readonly commands: readonly { readonly name: string; readonly about: string }[];
  readonly flags: readonly Flag[];
  /** Values of its first argument, where only some will do. */
  readonly choices: readonly string[];
};

/** What can be completed, read from the program itself: a new command needs nothing here. */
export function commandTree(command: Command, words: readonly string[] = []): readonly Node[] {
  const node: Node = {
    words,
    about: aboutOf(command),
    commands: command.commands.map((child) => ({ name: child.name(), about: aboutOf(child) })),
    flags: [...command.options.map(flagOf), { name: "--help", about: "show help", takesValue: false, choices: [] }],
    choices: command.registeredArguments[0]?.argChoices ?? [],
  };
  return [node, ...command.commands.flatMap((child) => commandTree(child, [...words, child.name()]))];
}

function flagOf(option: Option): Flag {
  return {
    name: option.long ?? option.flags,
    about: option.description,
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? [],
  };
}

function aboutOf(command: Command): string {
  return command.summary() || command.description();
}
