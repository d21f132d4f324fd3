export type QueryParameter = { readonly name: string; readonly value: string };
export type Query = readonly QueryParameter[];

const NAME = /^[A-Za-z0-9_]+$/;
// Contract, section 2: what a path may not hold. Anything outside printable ASCII has no one spelling.
const BAD_PATH = /\/\/|\/\.{1,2}(?:\/|$)|[%;#]|[^\x21-\x7e]/;
const BAD_QUERY = /[#]|[^\x21-\x7e]/;
const NO_QUERY: Query = [];

/** The part of a request target before the question mark. */
export function pathOf(target: string): string {
  const mark = target.indexOf("?");
  return mark < 0 ? target : target.slice(0, mark);
}

/** What is wrong with a path's shape; null when nothing is. */
export function pathFault(path: string): string | null {
  if (!path.startsWith("/")) return "The request target must be a path that starts with a slash.";
  if (BAD_PATH.test(path)) return "The path holds an empty or dot segment, an escape, or a character that has no place in it.";
  return null;
}

/** One trailing slash is tolerated. */
export function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

export type ParsedQuery = { readonly ok: true; readonly query: Query } | { readonly ok: false; readonly why: string };

/** Splits and decodes the query. `+` is a plus, never a space (contract, section 2). */
export function parseQuery(target: string): ParsedQuery {
  const mark = target.indexOf("?");
  const text = mark < 0 ? "" : target.slice(mark + 1);
  if (text === "") return { ok: true, query: NO_QUERY };
  if (BAD_QUERY.test(text)) return { ok: false, why: "The query holds a character that must be percent-encoded." };
  const query: QueryParameter[] = [];
  for (const part of text.split("&")) {
    const equals = part.indexOf("=");
    const name = equals < 0 ? part : part.slice(0, equals);
    if (!NAME.test(name)) return { ok: false, why: "A query parameter's name may hold letters, digits and underscores only." };
    if (query.some((other) => other.name === name)) return { ok: false, why: `The query parameter ${name} appears more than once.` };
    const value = decode(equals < 0 ? "" : part.slice(equals + 1));
    if (value === null) return { ok: false, why: `The query parameter ${name} has a malformed escape.` };
    query.push({ name, value });
  }
  return { ok: true, query };
}

function decode(text: string): string | null {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

export function parameter(query: Query, name: string): string | undefined {
  return query.find((one) => one.name === name)?.value;
}
