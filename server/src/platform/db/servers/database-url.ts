/** One server of a database address. */
export type DatabaseHost = { readonly host: string; readonly port: number };

/** A parsed postgres:// address, which may name several hosts. */
export type DatabaseAddress = {
  readonly scheme: string;
  /** User and password as written, including the @; empty if there are none. */
  readonly credentials: string;
  /** Empty if the address names no host; the driver then uses its default. */
  readonly hosts: readonly DatabaseHost[];
  /** The path and the query, without target_session_attrs. */
  readonly rest: string;
};

const DEFAULT_PORT = 5432;
const SESSION_ATTRIBUTES = "target_session_attrs";
// The service needs a writable server. A libpq address may also ask for others.
const WRITABLE: readonly string[] = ["any", "read-write", "primary"];

/** Parses an address; null if the service cannot use it. */
export function parseDatabaseUrl(text: string): DatabaseAddress | null {
  const match = /^(postgres(?:ql)?:\/\/)([^/?#]*)((?:[/?][^#]*)?)$/.exec(text);
  if (!match || /\s/.test(text)) return null;
  const [, scheme = "", authority = "", tail = ""] = match;
  const at = authority.lastIndexOf("@") + 1;
  const names = authority.slice(at);
  const hosts = names === "" ? [] : names.split(",").map(parseHost);
  const rest = withoutSessionAttributes(tail);
  if (rest === null || !hosts.every((host) => host !== null)) return null;
  const address = { scheme, credentials: authority.slice(0, at), hosts, rest };
  return URL.canParse(urlOf(address, hosts[0] ?? null)) ? address : null;
}

/** Builds the address of a single host. */
export function urlOf({ scheme, credentials, rest }: Omit<DatabaseAddress, "hosts">, host: DatabaseHost | null): string {
  return `${scheme}${credentials}${host === null ? "" : hostText(host)}${rest}`;
}

/** The address without user, password and query, for display. */
export function shownDatabaseUrl(text: string): string {
  const address = parseDatabaseUrl(text);
  if (!address) return "";
  const [path = ""] = address.rest.split("?");
  return `${address.scheme}${address.hosts.map(hostText).join(",")}${path}`;
}

export function hostText({ host, port }: DatabaseHost): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function parseHost(text: string): DatabaseHost | null {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]+))(?::([0-9]{1,5}))?$/.exec(text);
  if (!match) return null;
  const [, bracketed, plain, digits] = match;
  const port = digits === undefined ? DEFAULT_PORT : Number(digits);
  return port >= 1 && port <= 65_535 ? { host: bracketed ?? decodeURIComponent(plain ?? ""), port } : null;
}

/** Removes target_session_attrs; null if it asks for a read-only server. */
function withoutSessionAttributes(tail: string): string | null {
  const [path = "", query = ""] = tail.split("?");
  const wanted = new URLSearchParams(query).getAll(SESSION_ATTRIBUTES);
  if (!wanted.every((one) => WRITABLE.includes(one))) return null;
  const kept = query.split("&").filter((one) => one !== "" && !one.startsWith(`${SESSION_ATTRIBUTES}=`));
  return kept.length === 0 ? path : `${path}?${kept.join("&")}`;
}
