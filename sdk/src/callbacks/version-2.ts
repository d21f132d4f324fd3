/** Written by the service without `&` and `=`, which would let one signed text be cut into other parameters. */
const PLAIN = ["v", "status", "orderid", "urid", "amount", "account", "ts", "nonce", "event", "complaint_ref", "refund_amount", "test"];

/**
 * The parameters of a version 2 callback, decoded; null when a name comes twice, an escape is broken, or a value of the
 * service's own could not have been sent by it.
 */
export function parseQuery(url: string): Readonly<Record<string, string>> | null {
  const [beforeFragment = ""] = url.split("#");
  const start = beforeFragment.indexOf("?");
  const parts = start < 0 ? [] : beforeFragment.slice(start + 1).split("&");
  const parameters = new Map<string, string>();
  for (const part of parts.filter((text) => text !== "")) {
    const equals = part.indexOf("=");
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    const value = decode(equals < 0 ? "" : part.slice(equals + 1));
    if (name === null || value === null || parameters.has(name)) return null;
    parameters.set(name, value);
  }
  if (PLAIN.some((name) => /[&=]/.test(parameters.get(name) ?? ""))) return null;
  return Object.fromEntries(parameters);
}

/** Spec, Events, version 2: every parameter that arrived except hash, sorted by key in code-unit order. */
export function hashedText(parameters: Readonly<Record<string, string>>): string {
  return Object.keys(parameters)
    .sort()
    .map((name) => `${name}=${parameters[name]}`)
    .join("&");
}

// The service sends %20 for a space; a proxy may have made a plus of it, and a plus of its own is always %2B.
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}
