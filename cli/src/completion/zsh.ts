import { quoted } from "../shared/shell-words.ts";
import type { Node } from "./tree.ts";

export function zshScript(nodes: readonly Node[]): string {
  const paths = nodes.filter((node) => node.words.length > 0).map((node) => quoted(node.words.join(" ")));
  return `#compdef corprail
# corprail completion for zsh: eval "$(corprail completion zsh)", after compinit
_corprail() {
  local path_="" next prev="\${words[CURRENT-1]}" i
  local -a names flags
  for ((i = 2; i < CURRENT; i++)); do
    next="\${path_:+$path_ }\${words[i]}"
    case "$next" in
      ${paths.join("|")}) path_="$next" ;;
    esac
  done
  case "$path_ $prev" in
${nodes.flatMap(flagCases).join("\n")}
  esac
  case "$path_" in
${nodes.map(wordCase).join("\n")}
  esac
  if [[ "$PREFIX" == -* ]]; then
    _describe option flags
  elif (( \${#names} )); then
    _describe command names
  else
    _files
  fi
}
if [[ "$funcstack[1]" == _corprail ]]; then _corprail "$@"; else compdef _corprail corprail; fi
`;
}

function flagCases({ words, flags }: Node): readonly string[] {
  return flags
    .filter((flag) => flag.takesValue)
    .map((flag) => {
      const reply = flag.choices.length === 0 ? "_files" : `compadd -- ${flag.choices.map(quoted).join(" ")}`;
      return `    ${quoted(`${words.join(" ")} ${flag.name}`)}) ${reply}; return ;;`;
    });
}

function wordCase({ words, commands, choices, flags }: Node): string {
  const names = [...commands.map((one) => described(one.name, one.about)), ...choices.map(quoted)];
  const options = flags.map((flag) => described(flag.name, flag.about));
  return `    ${quoted(words.join(" "))}) names=(${names.join(" ")}) flags=(${options.join(" ")}) ;;`;
}

// A colon ends the name.
function described(name: string, about: string): string {
  return quoted(`${name}:${about.replaceAll("\\", "\\\\")}`);
}
