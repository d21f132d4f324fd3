export type Filter = { readonly name: string; readonly argument: string };
export type Placeholder = {
  readonly name: string;
  /** Written {name?}: what contains it is left out when there is no value. */
  readonly optional: boolean;
  readonly filters: readonly Filter[];
  /** As written, with braces. */
  readonly source: string;
};

const NAME = "[a-z][A-Za-z0-9_-]*(?:\\.[A-Za-z0-9_-]+)*";
const FILTER = "\\|[a-z_0-9]+(?::[^{}|]*)?";
// Any other brace is literal, so a JSON or XML text needs no escaping.
const PLACEHOLDER = new RegExp(`\\{(${NAME})(\\?)?((?:${FILTER})*)\\}`, "g");

export type Piece = string | Placeholder;
const parsed = new Map<string, readonly Piece[]>();
const MOST_PARSED = 5000;

/** The literal texts and placeholders of a template, in order. */
export function parseTemplate(text: string): readonly Piece[] {
  const known = parsed.get(text);
  if (known) return known;
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    if (match.index > end) pieces.push(text.slice(end, match.index));
    pieces.push(placeholderOf(match));
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push(text.slice(end));
  // Templates are few and come from descriptions; the bound is only a safeguard.
  if (parsed.size >= MOST_PARSED) parsed.clear();
  parsed.set(text, pieces);
  return pieces;
}

function placeholderOf([source, name = "", optional, filters = ""]: RegExpMatchArray): Placeholder {
  return { source, name, optional: optional === "?", filters: filters === "" ? [] : filters.slice(1).split("|").map(filterOf) };
}

function filterOf(text: string): Filter {
  const split = text.indexOf(":");
  return split < 0 ? { name: text, argument: "" } : { name: text.slice(0, split), argument: text.slice(split + 1) };
}

export function placeholdersIn(text: string): readonly Placeholder[] {
  return parseTemplate(text).filter((piece) => typeof piece !== "string");
}
