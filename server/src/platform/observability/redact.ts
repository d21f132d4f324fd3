// All tokens, secrets and keys start with one of these prefixes. There is no word boundary in front: after an escaped
// line break (\\n) the letter n would count as part of the word. The field first_name is not a secret.
const SECRET = /(tok_live|tok_test|sig|cbk|opk|inv|(?<!fi)rst)_[A-Za-z0-9_-]{4,}/g;

/** Replaces the secret part of tokens, secrets and keys in a text. */
export function redact(text: string): string {
  return text.includes("_") ? text.replace(SECRET, "$1_[redacted]") : text;
}

// No path of the service has a longer segment. Secrets and signatures are longer, however they are escaped.
const LONG_SEGMENT = /[^/]{32,}/g;
const MAX_PATH = 200;

/** A request's path for the log, without the query and without anything that could be a credential. */
export function shownPath(target: string): string {
  const [path = ""] = target.split("?", 1);
  return path.replace(LONG_SEGMENT, "[long]").slice(0, MAX_PATH);
}
