export type SyntaxFault = { readonly at: number; readonly message: string };

class Fault extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these characters in strings.
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const SPACE = /[ \t\r\n]*/y;

/** The first syntax error of a JSON text with its position; null when there is none. Browsers word and place theirs differently. */
export function findSyntaxFault(text: string): SyntaxFault | null {
  try {
    const end = skipSpace(text, readValue(text, skipSpace(text, 0)));
    return end === text.length ? null : { at: end, message: "The text must end after the last }." };
  } catch (error) {
    if (error instanceof Fault) return { at: error.at, message: error.message };
    throw error;
  }
}

function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at;
  return at + (SPACE.exec(text)?.[0].length ?? 0);
}

function readValue(text: string, at: number): number {
  const first = text[at];
  if (first === "{") return readList(text, at, "}", readMember);
  if (first === "[") return readList(text, at, "]", readValue);
  if (first === '"') return readString(text, at);
  SCALAR.lastIndex = at;
  const scalar = SCALAR.exec(text);
  if (scalar !== null) return at + scalar[0].length;
  throw new Fault(at, first === undefined || /[,}\]:]/.test(first) ? "A value is missing here." : "Texts must be in double quotes.");
}

/** The members of an object or the items of an array, up to the closing bracket. */
function readList(text: string, start: number, close: string, readOne: (text: string, at: number) => number): number {
  let at = skipSpace(text, start + 1);
  if (text[at] === close) return at + 1;
  for (;;) {
    at = skipSpace(text, readOne(text, at));
    if (text[at] === close) return at + 1;
    if (text[at] !== ",")
      throw new Fault(at, text[at] === undefined ? `A ${close} is missing.` : `A comma or ${close} is missing before this.`);
    const comma = at;
    at = skipSpace(text, at + 1);
    if (text[at] === close) throw new Fault(comma, `There must be no comma before ${close}.`);
  }
}

function readMember(text: string, at: number): number {
  if (text[at] !== '"') throw new Fault(at, "A name in double quotes is missing here.");
  const colon = skipSpace(text, readString(text, at));
  if (text[colon] !== ":") throw new Fault(colon, "A colon is missing after the name.");
  return readValue(text, skipSpace(text, colon + 1));
}

function readString(text: string, at: number): number {
  STRING.lastIndex = at;
  const found = STRING.exec(text);
  if (found === null) throw new Fault(at, "This text has no closing quote, or contains a line break or an unknown escape.");
  return at + found[0].length;
}
