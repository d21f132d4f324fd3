// Everything that opens a door here starts with one of these. Whatever stands before it: a line end in a log line is the
// two characters \\n, and the second would pass for the beginning of the word.
const SECRET = /(tok_live|tok_test|sig|cbk|opk|inv|rst)_[A-Za-z0-9_-]{4,}/g;

/** Takes the secret part of tokens, secrets and keys out of a text, whatever it is. */
export function redact(text: string): string {
  return text.includes("_") ? text.replace(SECRET, "$1_[redacted]") : text;
}

// No path of ours has a longer segment; a secret or a signature, however it is escaped, is one.
const LONG_SEGMENT = /[^/]{32,}/g;
const MAX_PATH = 200;

/** A request's path as a log may show it: no query, and nothing in it that could be a credential. */
export function shownPath(target: string): string {
  const [path = ""] = target.split("?", 1);
  return path.replace(LONG_SEGMENT, "[long]").slice(0, MAX_PATH);
}
