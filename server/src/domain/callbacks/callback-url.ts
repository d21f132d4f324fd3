import type { AddressRules } from "../../platform/network/address-rules.ts";
import { checkHost, type Resolve } from "../../platform/network/check-host.ts";

export type CallbackUrlRules = AddressRules & { readonly resolve?: Resolve };

const MAX_LENGTH = 2000;
// Printable ASCII without the backslash, which URL parsers interpret differently.
const PLAIN = /^[\x21-\x5b\x5d-\x7e]+$/;
const PARAMETER_NAME = /^[A-Za-z0-9_]+$/;
const RESERVED = new Set(
  "v status orderid urid optid amount account ts nonce hash event complaint_ref refund_amount reason resolved_at test".split(" "),
);

/** Returns null for a URL that callbacks may be sent to, otherwise a sentence that says why not (contract, section 7). */
export function callbackUrlChecker(rules: CallbackUrlRules): (text: string) => Promise<string | null> {
  return async (text) => {
    const url = parse(text);
    if (url === null)
      return `It must be a complete URL such as https://example.com/callbacks, of printable ASCII, at most ${MAX_LENGTH} characters long.`;
    return shapeFault(text, url) ?? queryFault(url) ?? (await hostFault(url, rules));
  };
}

function parse(text: string): URL | null {
  return text.length <= MAX_LENGTH && PLAIN.test(text) && /^https?:\/\/[^/?#]/i.test(text) && URL.canParse(text) ? new URL(text) : null;
}

function shapeFault(text: string, url: URL): string | null {
  // A parsed URL does not show an empty user name or fragment, so the text is checked as well.
  const authority = text.split(/[/?#]/, 3)[2] ?? "";
  if (url.username !== "" || url.password !== "" || authority.includes("@")) return "It must not hold a user name or password.";
  return text.includes("#") ? "It must not have a fragment." : null;
}

function queryFault(url: URL): string | null {
  if (!decodes(url.search)) return "Its query has a malformed escape.";
  const seen = new Set<string>();
  for (const name of url.searchParams.keys()) {
    if (!PARAMETER_NAME.test(name)) return "The names of its query parameters must consist of letters, digits and underscores.";
    if (RESERVED.has(name)) return `Its query must not use the name ${name}, which is reserved for callback fields.`;
    if (seen.has(name)) return `Its query has the name ${name} twice.`;
    seen.add(name);
  }
  return null;
}

function decodes(search: string): boolean {
  try {
    decodeURIComponent(search);
    return true;
  } catch {
    return false;
  }
}

async function hostFault(url: URL, rules: CallbackUrlRules): Promise<string | null> {
  const checked = await checkHost(url, rules, rules.resolve);
  if (checked.kind === "unresolved") return "Its host name does not resolve to an address.";
  return checked.kind === "refused" ? checked.why : null;
}
