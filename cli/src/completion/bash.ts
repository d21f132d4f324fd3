import type { Node } from "./tree.ts";

/** Where no word of the command fits, bash completes file names. */
export function bashScript(nodes: readonly Node[]): string {
  const paths = nodes.filter((node) => node.words.length > 0).map((node) => `"${node.words.join(" ")}"`);
  return `# corprail completion for bash: eval "$(corprail completion bash)"
_corprail() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path="" words="" next i
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${path:+$path }\${COMP_WORDS[i]}"
    case "$next" in
      ${paths.join("|")}) path="$next" ;;
    esac
  done
  case "$path $prev" in
${nodes.flatMap(flagCases).join("\n")}
  esac
  case "$path" in
${nodes.map(wordCase).join("\n")}
  esac
  [[ "$cur" == -* ]] || words="\${words%%--*}"
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o bashdefault -o default -F _corprail corprail
`;
}

function flagCases({ words, flags }: Node): readonly string[] {
  return flags
    .filter((flag) => flag.takesValue)
    .map((flag) => {
      const reply = flag.choices.length === 0 ? "COMPREPLY=()" : `COMPREPLY=($(compgen -W "${flag.choices.join(" ")}" -- "$cur"))`;
      return `    "${words.join(" ")} ${flag.name}") ${reply}; return ;;`;
    });
}

function wordCase({ words, commands, choices, flags }: Node): string {
  const all = [...commands.map((command) => command.name), ...choices, ...flags.map((flag) => flag.name)];
  return `    "${words.join(" ")}") words="${all.join(" ")}" ;;`;
}
