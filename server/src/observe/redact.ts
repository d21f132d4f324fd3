// Everything that opens a door here starts with one of these.
const SECRET = /\b(tok_live|tok_test|sig|cbk|opk)_[A-Za-z0-9_-]{4,}/g;

/** Takes the secret part of tokens, secrets and keys out of a text, whatever it is. */
export function redact(text: string): string {
  return text.includes("_") ? text.replace(SECRET, "$1_[redacted]") : text;
}
