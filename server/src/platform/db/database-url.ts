/** One server that the database's address names. */
export type DatabaseHost = { readonly host: string; readonly port: number };

/** A postgres:// address, taken apart as far as several hosts need it. */
export type DatabaseAddress = {
  readonly scheme: string;
  /** User and password with the @ behind them, as written; empty when there are none. */
  readonly credentials: string;
  /** Empty when the address names none: the driver then knows a default. */
  readonly hosts: readonly DatabaseHost[];
  /** The path and the query, without target_session_attrs. */
  readonly rest: string;
};

const DEFAULT_PORT = 5432;
const SESSION_ATTRIBUTES = "target_session_attrs";
// The service writes. A libpq address may also ask for servers that do not.
const WRITABLE: readonly string[] = ["any", "read-write", "primary"];

/** Null when the text is not an address that the service can use. */
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

/** The address of one of its hosts. */
export function urlOf({ scheme, credentials, rest }: Omit<DatabaseAddress, "hosts">, host: DatabaseHost | null): string {
  return `${scheme}${credentials}${host === null ? "" : hostText(host)}${rest}`;
}

/** The address as it may be shown: who signs in, with what, and whatever the query holds are left out. */
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

/** Null when it asks for a server that takes no writes. */
function withoutSessionAttributes(tail: string): string | null {
  const [path = "", query = ""] = tail.split("?");
  const wanted = new URLSearchParams(query).getAll(SESSION_ATTRIBUTES);
  if (!wanted.every((one) => WRITABLE.includes(one))) return null;
  const kept = query.split("&").filter((one) => one !== "" && !one.startsWith(`${SESSION_ATTRIBUTES}=`));
  return kept.length === 0 ? path : `${path}?${kept.join("&")}`;
}
