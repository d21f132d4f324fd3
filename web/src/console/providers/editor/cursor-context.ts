import type { Step } from "./json-tree.ts";

/** What is being written at the cursor. It depends only on the text before, so unfinished text is no obstacle. */
export type CursorContext = {
  /** A name of an object, or a value. */
  readonly kind: "name" | "value";
  /** The object whose name, or the place whose value is written. */
  readonly steps: readonly Step[];
  /** The token that a completion replaces, with its quotes. */
  readonly from: number;
  readonly to: number;
  /** The part of the token before the cursor, without its quote. */
  readonly typed: string;
  readonly inQuotes: boolean;
};

type Frame = { readonly isArray: boolean; step: Step; expects: "name" | "colon" | "value" | "end" };

export function contextAt(text: string, position: number): CursorContext | null {
  const token = tokenAt(text, position);
  const frames = framesBefore(text, token.from);
  const last = frames.at(-1);
  if (last === undefined || (last.expects !== "name" && last.expects !== "value")) return null;
  const isName = last.expects === "name";
  const steps = (isName ? frames.slice(0, -1) : frames).map(({ step }) => step);
  return { kind: last.expects, steps, ...token };
}

type Token = Pick<CursorContext, "from" | "to" | "typed" | "inQuotes">;

/** JSON strings end on their line, so the line tells whether the cursor is in one. */
function tokenAt(text: string, position: number): Token {
  const line = text.slice(text.lastIndexOf("\n", position - 1) + 1, position);
  const start = openQuote(line);
  if (start === null) {
    const word = /(?<![\w.$-])[\w.$-]*$/.exec(line)?.[0] ?? "";
    return { from: position - word.length, to: position, typed: word, inQuotes: false };
  }
  const rest = /^(?:[^"\\\n{}[\]:,]|\\.)*"/.exec(text.slice(position))?.[0] ?? wholeString(text, position);
  return { from: position - line.length + start, to: position + rest.length, typed: line.slice(start + 1), inQuotes: true };
}

/** The rest of a string that is followed by what may follow a string; nothing when its quote is not closed yet. */
function wholeString(text: string, position: number): string {
  return /^(?:[^"\\\n]|\\.)*"(?=[ \t]*(?:[:,\]}]|\r?\n|$))/.exec(text.slice(position))?.[0] ?? "";
}

function openQuote(line: string): number | null {
  let start: number | null = null;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === "\\" && start !== null) at++;
    else if (line[at] === '"') start = start === null ? at : null;
  }
  return start;
}

// A string without an end goes on to the end of its line, so that it is read once.
const TOKEN = /"(?:[^"\\\n]|\\.)*"?|[{}[\]:,]|[^\s{}[\]:,"]+/g;

/** The objects and arrays that are open at the end of the text. */
function framesBefore(text: string, end: number): readonly Frame[] {
  const frames: Frame[] = [];
  for (const [token] of text.slice(0, end).matchAll(TOKEN)) {
    const last = frames.at(-1);
    if (token === "{") frames.push({ isArray: false, step: "", expects: "name" });
    else if (token === "[") frames.push({ isArray: true, step: 0, expects: "value" });
    else if (token === "}" || token === "]") {
      frames.pop();
      finish(frames.at(-1));
    } else if (last !== undefined) advance(last, token);
  }
  return frames;
}

function advance(frame: Frame, token: string): void {
  if (token === ",") {
    frame.expects = frame.isArray ? "value" : "name";
    if (typeof frame.step === "number") frame.step += 1;
  } else if (token === ":") frame.expects = "value";
  else if (frame.expects === "name") {
    frame.step = unquoted(token);
    frame.expects = "colon";
  } else finish(frame);
}

function finish(frame: Frame | undefined): void {
  if (frame !== undefined) frame.expects = "end";
}

function unquoted(token: string): string {
  return token.startsWith('"') ? token.slice(1, -1).replaceAll(/\\(.)/g, "$1") : token;
}
