import { percentEncode } from "../wire/percent-encode.ts";

/** Replaces what must not be shown. */
export const HIDDEN = "[hidden]";

const SHORTEST_SECRET = 4;
const XML_NAMES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

/**
 * Masks secrets in a text, however they are written there: as they are, percent-encoded, escaped for JSON or XML, or as part
 * of something in base64 or hexadecimal. Very short secrets are left, because masking them would garble ordinary words.
 */
export function secretMask(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.flatMap((secret) => [secret, secret.trim()]).filter((secret) => secret.length >= SHORTEST_SECRET));
  // A secret may contain another one, so the longest comes first.
  const longestFirst = [...forms].sort((one, other) => other.length - one.length);
  const pieces = longestFirst.filter((secret) => secret.length > LONGEST_PATTERN).flatMap(piecesOf);
  const patterns = longestFirst.filter((secret) => secret.length <= LONGEST_PATTERN).map(patternOf);
  return (text) => patterns.reduce(withoutSecret, withoutPieces(text, pieces));
}

// Compiling the pattern of a private key would stop the process for half a minute.
const LONGEST_PATTERN = 128;
const PIECE = 64;
const SHORTEST_PIECE = 8;

/** A part of a long secret. Its pattern is made when one of its hints, which every way of writing leaves as they are, is found. */
type Piece = { readonly text: string; readonly hints: readonly string[]; pattern: SecretPattern | null };

/** The lines of a key, and of a line that is still too long its parts. The frame of a key is no secret. */
function piecesOf(secret: string): readonly Piece[] {
  const lines = secret.split(/\r?\n|\\n/).filter((line) => !line.startsWith("-----"));
  const texts = lines.flatMap((line) => line.match(new RegExp(`[\\s\\S]{1,${PIECE}}`, "g")) ?? []);
  return texts.filter((text) => text.length >= SHORTEST_PIECE).map((text) => ({ text, hints: hintsOf(text), pattern: null }));
}

function hintsOf(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const hints = [text, ...base64Cores(bytes)].map(longestWord);
  return [...new Set([...hints, bytes.toString("hex")])].filter((hint) => hint.length >= SHORTEST_SECRET).map((hint) => hint.toLowerCase());
}

function longestWord(text: string): string {
  return (text.match(/[A-Za-z0-9]+/g) ?? []).reduce((longest, word) => (word.length > longest.length ? word : longest), "");
}

function withoutPieces(text: string, pieces: readonly Piece[]): string {
  if (pieces.length === 0) return text;
  const inSmallLetters = text.toLowerCase();
  return pieces.reduce((rest, piece) => {
    if (!piece.hints.some((hint) => inSmallLetters.includes(hint))) return rest;
    piece.pattern ??= patternOf(piece.text);
    return withoutSecret(rest, piece.pattern);
  }, text);
}

/** `shortest`: no text with fewer characters can match. Most values of a request are shorter than the secrets. */
type SecretPattern = { readonly pattern: RegExp; readonly shortest: number };

function withoutSecret(text: string, { pattern, shortest }: SecretPattern): string {
  return text.length < shortest ? text : text.replace(pattern, HIDDEN);
}

// Shorter values, such as a computed flag, occur in ordinary words.
const SHORTEST_HIDDEN = 8;

/** Masks values that are known for one call only, such as its signature. They are written as they are or percent-encoded. */
export function textMask(values: readonly string[]): (text: string) => string {
  const forms = values
    .filter((value) => value.length >= SHORTEST_HIDDEN)
    .flatMap((value) => [value, percentEncode(value), encodeURIComponent(value)]);
  return (text) => forms.reduce((rest, form) => rest.replaceAll(form, HIDDEN), text);
}

function patternOf(secret: string): SecretPattern {
  const bytes = Buffer.from(secret);
  const cores = base64Cores(bytes);
  const written = [writtenPattern(secret), ...cores.map(base64Pattern), anyCase(bytes.toString("hex"))];
  return { pattern: new RegExp(written.join("|"), "g"), shortest: Math.min(secret.length, ...cores.map(({ length }) => length)) };
}

/** Equal characters in a row are one group, so that matching takes linear time even for a row of backslashes. */
function writtenPattern(text: string): string {
  const groups: { readonly character: string; count: number }[] = [];
  for (const character of text) {
    const last = groups.at(-1);
    if (last?.character === character) last.count++;
    else groups.push({ character, count: 1 });
  }
  return groups
    .map(
      ({ character, count }) =>
        `(?:${spellings(character)
          .map((one) => repeated(one, count))
          .join("|")})`,
    )
    .join("");
}

function repeated(pattern: string, count: number): string {
  return count === 1 ? pattern : `(?:${pattern}){${count}}`;
}

/** The ways in which one character may be written, as patterns. */
function spellings(character: string): readonly string[] {
  const inJson = JSON.stringify(character).slice(1, -1);
  const texts = new Set([character, inJson, character === "/" ? "\\/" : character, character === " " ? "+" : character]);
  const encoded = [...texts].map((text) => percentPattern(text));
  const code = character.codePointAt(0) ?? 0;
  const xml = [`&#0*${code};`, `&#[xX]0*${anyCase(code.toString(16))};`, ...(XML_NAMES[character] ? [XML_NAMES[character]] : [])];
  const units = character.split("").map((unit) => `\\\\u${anyCase(unit.charCodeAt(0).toString(16).padStart(4, "0"))}`);
  return [...new Set([...xml, units.join(""), ...encoded, ...encoded.map((one) => one.replaceAll("%", "%25")), ...[...texts].map(quoted)])];
}

function percentPattern(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${anyCase(byte.toString(16).padStart(2, "0"))}`).join("");
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** What base64 makes of the bytes wherever they stand in the encoded text, without the characters that depend on neighbours. */
function base64Cores(bytes: Buffer): readonly string[] {
  return [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
}

function base64Pattern(core: string): string {
  return core.replace(/[+/]/g, (sign) => (sign === "+" ? "(?:\\+|-|%2[bB])" : "(?:\\\\?\\/|_|%2[fF])"));
}
