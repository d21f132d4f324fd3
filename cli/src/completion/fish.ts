import type { Flag, Node } from "./tree.ts";

export function fishScript(nodes: readonly Node[]): string {
  const paths = nodes.filter((node) => node.words.length > 0).map((node) => quotedForFish(node.words.join(" ")));
  return `# corprail completion for fish: corprail completion fish | source
function __corprail_path
  set -l path
  for word in (commandline -opc)[2..]
    set -l next (string join ' ' $path $word)
    if contains -- "$next" ${paths.join(" ")}
      set path $next
    end
  end
  string join ' ' $path
end
function __corprail_at
  test (__corprail_path | string collect; or echo) = "$argv[1]"
end
${nodes.flatMap(linesOf).join("\n")}
`;
}

function linesOf({ words, commands, choices, flags }: Node): readonly string[] {
  const here = `complete -c corprail -n ${quotedForFish(`__corprail_at ${quotedForFish(words.join(" "))}`)}`;
  return [
    ...commands.map((one) => `${here} -f -a ${quotedForFish(one.name)} -d ${quotedForFish(one.about)}`),
    ...(choices.length === 0 ? [] : [`${here} -f -a ${quotedForFish(choices.join(" "))}`]),
    ...flags.map((flag) => `${here} ${flagWords(flag)} -d ${quotedForFish(flag.about)}`),
  ];
}

function flagWords({ name, takesValue, choices }: Flag): string {
  const long = `-l ${name.replace(/^--/, "")}`;
  if (!takesValue) return long;
  return choices.length === 0 ? `${long} -r` : `${long} -x -a ${quotedForFish(choices.join(" "))}`;
}

function quotedForFish(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
