export type QueryParameter = { readonly name: string; readonly value: string };
export type Query = readonly QueryParameter[];

const NAME = /^[A-Za-z0-9_]+$/;
// Contract, section 2: characters that a path must not contain. Non-ASCII text has more than one encoding.
const BAD_PATH = /\/\/|\/\.{1,2}(?:\/|$)|[%;#]|[^\x21-\x7e]/;
const BAD_QUERY = /[#]|[^\x21-\x7e]/;
const NO_QUERY: Query = [];
// No request needs more than ten. The limit bounds the check for duplicates.
const MAX_PARAMETERS = 100;

/** The part of a request target before the question mark. */
export function pathOf(target: string): string {
  const mark = target.indexOf("?");
  return mark < 0 ? target : target.slice(0, mark);
}

/** Why a path is invalid; null if it is valid. */
export function pathFault(path: string): string | null {
  if (!path.startsWith("/")) return "The request target must be a path that starts with a slash.";
  if (BAD_PATH.test(path)) return "The path contains an empty or dot segment, an escape, or a character that is not allowed in a path.";
  return null;
}

/** Removes one trailing slash. */
export function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

export type ParsedQuery = {
  /** Null if the query is valid. */
  readonly fault: string | null;
  /** The valid parameters, also if the query has a fault, because a refusal echoes the reference. */
  readonly query: Query;
};

/** Splits and decodes the query. `+` is a plus, never a space (contract, section 2). */
export function parseQuery(target: string): ParsedQuery {
  const mark = target.indexOf("?");
  const text = mark < 0 ? "" : target.slice(mark + 1);
  if (text === "") return { fault: null, query: NO_QUERY };
  if (BAD_QUERY.test(text)) return { fault: "The query contains a character that must be percent-encoded.", query: NO_QUERY };
  const query: QueryParameter[] = [];
  let fault: string | null = null;
  const parts = text.split("&", MAX_PARAMETERS + 1);
  if (parts.length > MAX_PARAMETERS) fault = `The query has more than ${MAX_PARAMETERS} parameters.`;
  for (const part of parts) {
    const read = readParameter(part, query);
    if (typeof read === "string") fault ??= read;
    else query.push(read);
  }
  return { fault, query };
}

/** Returns a parameter or the reason why it is invalid. */
function readParameter(part: string, before: Query): QueryParameter | string {
  const equals = part.indexOf("=");
  const name = equals < 0 ? part : part.slice(0, equals);
  if (!NAME.test(name)) return "The name of a query parameter may contain only letters, digits and underscores.";
  if (before.some((other) => other.name === name)) return `The query parameter ${name} appears more than once.`;
  const value = decode(equals < 0 ? "" : part.slice(equals + 1));
  return value === null ? `The query parameter ${name} has a malformed escape.` : { name, value };
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
