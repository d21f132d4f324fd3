import { hash } from "node:crypto";

/** A common mistake and its remedy. The first match is shown. */
type Hint = { readonly when: (given: string, expected: string) => boolean; readonly say: string };

export type LineName = "method" | "path" | "query" | "body_sha256" | "timestamp" | "nonce";

const EMPTY = hash("sha256", "", "hex");
// The hashes of what libraries send for "no body".
const NEARLY_EMPTY = new Set(["{}", "[]", "null", '""', "\n", " ", "undefined"].map((text) => hash("sha256", text, "hex")));

const COMMON: readonly Hint[] = [
  { when: (given) => given.endsWith("\r"), say: "Lines are joined by a newline alone; here a carriage return stands before it." },
  { when: (given, expected) => given.trim() === expected, say: "There is a space or a tab around it." },
];

const METHOD: readonly Hint[] = [
  { when: (given, expected) => given.toUpperCase() === expected, say: "The method is written in capitals." },
  { when: () => true, say: "The request was sent with another method than was signed." },
];

const PATH: readonly Hint[] = [
  { when: (given) => /^[a-z]+:\/\//i.test(given), say: "The path alone is signed, without scheme and host." },
  { when: (given) => given.includes("?"), say: "The query does not belong to the path: it is the third line." },
  { when: (given, expected) => given === `${expected}/`, say: "The path is signed without its trailing slash." },
  { when: (given, expected) => `/${given}` === expected, say: "The path begins with a slash." },
  {
    when: (given, expected) => given !== "" && given !== "/" && expected.endsWith(given),
    say: "The path is signed whole, with its prefix /api/corp/v1.",
  },
  { when: (given, expected) => given.toLowerCase() === expected.toLowerCase(), say: "Capitals and small letters differ." },
  { when: () => true, say: "The request was sent to another path than was signed." },
];

const QUERY: readonly Hint[] = [
  { when: (given) => given.startsWith("?"), say: "The question mark is not signed." },
  { when: (given) => /(?:^|&)token=/.test(given), say: "The token was left in the query: it is sent there, but never signed." },
  { when: (given, expected) => given === "" && expected !== "", say: "The request had a query, and its parameters are signed too." },
  { when: (given, expected) => given !== "" && expected === "", say: "The request was sent without a query; the line is empty then." },
  { when: (given, expected) => sorted(given) === expected, say: "The query is not sorted: parameters are sorted by name." },
  {
    when: (given, expected) => given.includes("+") && sorted(given.replaceAll("+", "%20")) === sorted(expected),
    say: "A space is %20, never +.",
  },
  {
    when: (given, expected) => decoded(given) === decoded(expected),
    say: "The values are the same, but encoded in another way: all but letters, digits and - _ . ~ is %XX with capital digits.",
  },
  {
    when: (given, expected) => names(given) !== names(expected),
    say: "Other parameters were sent than were signed.",
  },
  { when: () => true, say: "A parameter was sent with another value than was signed." },
];

const BODY: readonly Hint[] = [
  { when: (given, expected) => given.toLowerCase() === expected, say: "The digits are written small." },
  {
    when: (given, expected) => given === Buffer.from(expected, "hex").toString("base64"),
    say: "The hash is written as 64 hexadecimal digits, not as base64.",
  },
  {
    when: (given, expected) => expected === EMPTY && given === "",
    say: "Without a body the line holds the SHA-256 of the empty string, not nothing.",
  },
  {
    when: (given, expected) => expected === EMPTY && NEARLY_EMPTY.has(given),
    say: "The request was sent without a body: sign the hash of the empty string, not of {}, null or a newline.",
  },
  { when: (_given, expected) => expected === EMPTY, say: "The request arrived without a body, and one was signed." },
  { when: (given) => given === EMPTY, say: "This is the hash of an empty body, and the request had one." },
  {
    when: (given) => !/^[0-9a-fA-F]{64}$/.test(given),
    say: "The line holds the body's SHA-256 as 64 hexadecimal digits, not the body itself.",
  },
  {
    when: () => true,
    say: "The body hash is of other bytes: the body was written again between signing and sending (spaces, order of keys, escapes, a newline at its end). Encode once, sign and send the same bytes.",
  },
];

const TIMESTAMP: readonly Hint[] = [
  { when: (_given, expected) => expected === "", say: "The request had no X-Api-Timestamp header." },
  {
    when: (given, expected) => /^\d{13}$/.test(given) && /^\d{10}$/.test(expected),
    say: "These are milliseconds; the timestamp is in seconds.",
  },
  { when: (given) => /^\d+\.\d+$/.test(given), say: "The timestamp is in whole seconds." },
  { when: (given) => !/^\d+$/.test(given), say: "The timestamp is the Unix time in seconds, ten digits." },
  { when: () => true, say: "Another timestamp was signed than was sent in X-Api-Timestamp: take the time once an attempt." },
];

const NONCE: readonly Hint[] = [
  { when: (_given, expected) => expected === "", say: "The request had no X-Api-Nonce header." },
  { when: (given, expected) => given.toLowerCase() === expected.toLowerCase(), say: "Capitals and small letters differ." },
  { when: () => true, say: "Another nonce was signed than was sent in X-Api-Nonce: make one for each attempt, and use it in both." },
];

const HINTS: Readonly<Record<LineName, readonly Hint[]>> = {
  method: METHOD,
  path: PATH,
  query: QUERY,
  body_sha256: BODY,
  timestamp: TIMESTAMP,
  nonce: NONCE,
};

/** Why a line differs, as far as it can be recognised. */
export function hintFor(name: LineName, given: string, expected: string): string {
  return [...COMMON, ...HINTS[name]].find((hint) => hint.when(given, expected))?.say ?? "";
}

function sorted(query: string): string {
  return query
    .split("&")
    .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    .join("&");
}

function names(query: string): string {
  return query.split("&").map(nameOf).toSorted().join("&");
}

function nameOf(parameter: string): string {
  return parameter.split("=", 1)[0] ?? "";
}

function decoded(query: string): string {
  try {
    return decodeURIComponent(sorted(query));
  } catch {
    return query;
  }
}
