import type { SignatureRow } from "./read-usage.ts";
import { hintFor, type LineName } from "./signature-hints.ts";
import { storedLine } from "./store.ts";

export type ComparedLine = {
  readonly name: LineName;
  readonly expected: string;
  readonly given: string;
  readonly same: boolean;
  readonly hint: string | null;
};

export type Comparison = { readonly lines: readonly ComparedLine[]; readonly verdict: string };

const NAMES: readonly LineName[] = ["method", "path", "query", "body_sha256", "timestamp", "nonce"];
const QUERY_LINE = 2;

/** Compares the six computed lines with the client's, with an explanation for each difference. */
export function compareSignature(computed: SignatureRow, pasted: string): Comparison {
  const expected = [computed.method, computed.path, computed.canonical_query, computed.body_sha256, computed.timestamp, computed.nonce];
  const read = readLines(pasted, expected);
  const lines = NAMES.map((name, place): ComparedLine => {
    const [wanted = "", given = ""] = [expected[place], read.lines[place]];
    const same = wanted === given && read.missing !== place;
    return {
      name,
      expected: wanted,
      given,
      same,
      hint: same ? null : read.missing === place ? MISSING_QUERY : hintFor(name, given, wanted),
    };
  });
  return { lines, verdict: verdictOn(lines, read.note, computed.reason) };
}

type Read = { readonly lines: readonly string[]; readonly note: string | null; readonly missing: number | null };

const MISSING_QUERY = "The empty line for the query is missing. Without a query the third line is empty but must be present.";
const TRAILING = "There is a newline after the last line. The string must end with the nonce.";
const ESCAPED = "The newlines are written as a backslash and an n. They must be real newlines.";

/** The pasted lines, and what is wrong with the text as a whole. */
function readLines(pasted: string, expected: readonly string[]): Read {
  const escaped = !pasted.includes("\n") && pasted.includes("\\n");
  const lines = (escaped ? pasted.replaceAll("\\n", "\n") : pasted).split("\n").map(storedLine);
  if (lines.length === NAMES.length - 1 && expected[QUERY_LINE] === "" && /^[0-9a-fA-F]{64}$/.test(lines[QUERY_LINE] ?? ""))
    return { lines: lines.toSpliced(QUERY_LINE, 0, ""), note: null, missing: QUERY_LINE };
  const rest = lines.slice(NAMES.length);
  return { lines, note: escaped ? ESCAPED : noteOn(lines.length, rest), missing: null };
}

function noteOn(count: number, rest: readonly string[]): string | null {
  if (count < NAMES.length) return `The string has ${count} lines; six are signed.`;
  if (rest.length === 0) return null;
  return rest.every((line) => line.trim() === "") ? TRAILING : `The string has ${count} lines; six are signed.`;
}

const MISMATCH = /^The signature does not match/;
const OTHER_KEY =
  "All six lines are the same, so another key made the signature, or it is written in another way: use the whole signing secret, " +
  "sig_ included, and send the HMAC-SHA256 as 64 small hexadecimal digits.";

function verdictOn(lines: readonly ComparedLine[], note: string | null, reason: string): string {
  const different = lines.filter((line) => !line.same);
  const [first] = different;
  if (note !== null) return note;
  if (first && different.length === 1) return `One line differs, ${WORDS[first.name]}. ${first.hint}`;
  if (first) return `${different.length} lines differ: ${different.map((line) => WORDS[line.name]).join(", ")}.`;
  return MISMATCH.test(reason) ? OTHER_KEY : `All six lines are the same. The request was refused for another reason: ${reason}`;
}

const WORDS: Readonly<Record<LineName, string>> = {
  method: "the method",
  path: "the path",
  query: "the query",
  body_sha256: "the body's hash",
  timestamp: "the timestamp",
  nonce: "the nonce",
};
