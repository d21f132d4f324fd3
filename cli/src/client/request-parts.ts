import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { canonicalQuery, type QueryPair } from "@corprail/sdk";
import { UsageFault } from "../shared/outcome.ts";

export type RequestOptions = { readonly query?: readonly string[]; readonly data?: string };

export type RequestParts = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly query: readonly QueryPair[];
  /** The bytes that are hashed, signed and sent. */
  readonly body: Uint8Array;
};

const PREFIX = "/api/corp/v1";
const METHODS = ["GET", "POST"] as const;
const NO_BYTES = new Uint8Array();

/** A path below /api/corp/v1, or a whole one that begins with /api/. */
export async function requestParts(givenMethod: string, target: string, options: RequestOptions): Promise<RequestParts> {
  const method = METHODS.find((known) => known === givenMethod.toUpperCase());
  if (method === undefined) throw new UsageFault("The method is GET or POST: the service knows no other.");
  if (!target.startsWith("/")) throw new UsageFault("The path begins with a slash, as in /balance.");
  if (method === "GET" && options.data !== undefined) throw new UsageFault("A GET has no body: --data goes with POST.");
  if (method === "POST" && options.data === undefined) throw new UsageFault("A POST needs a body: --data JSON, --data @file or --data -.");
  const [path = "", ...inTarget] = target.split("?");
  const query = [...parseQuery(inTarget.join("?")), ...(options.query ?? []).flatMap(parsePair)];
  refuseRepeated(query);
  return { method, path: wholePath(path), query, body: options.data === undefined ? NO_BYTES : await bodyBytes(options.data) };
}

/** As it is sent. The canonical form, which the signature is about, is a valid query itself. */
export function targetOf({ path, query }: Pick<RequestParts, "path" | "query">): string {
  const canonical = canonicalQuery(query);
  return canonical === "" ? path : `${path}?${canonical}`;
}

// Spec, Request signing, line 2: no trailing slash.
function wholePath(path: string): string {
  const whole = path.startsWith("/api/") ? path : `${PREFIX}${path}`;
  return whole.length > 1 ? whole.replace(/\/$/, "") : whole;
}

async function bodyBytes(data: string): Promise<Uint8Array> {
  if (data === "-") return await buffer(process.stdin);
  return data.startsWith("@") ? await readFile(data.slice(1)) : Buffer.from(data);
}

// Contract, section 2: a plus is a plus.
function parseQuery(text: string): readonly QueryPair[] {
  return text
    .split("&")
    .filter((part) => part !== "")
    .map((part) => {
      const equals = part.indexOf("=");
      const [name, value] = equals < 0 ? [part, ""] : [part.slice(0, equals), part.slice(equals + 1)];
      return [decoded(name), decoded(value)];
    });
}

/** --query name=value, not escaped. */
function parsePair(text: string): readonly QueryPair[] {
  const equals = text.indexOf("=");
  if (equals < 1) throw new UsageFault("--query is name=value, as in --query urid=ORDER-1.");
  return [[text.slice(0, equals), text.slice(equals + 1)]];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UsageFault("The path's query has a broken % escape. Give it as --query name=value, which is escaped for you.");
  }
}

// Spec, Request signing, further rule 2. And a token in a query reaches access logs.
function refuseRepeated(query: readonly QueryPair[]): void {
  const names = query.map(([name]) => name);
  if (names.includes("token")) throw new UsageFault("A token does not belong in a query: it comes from the profile or the environment.");
  const wrong = names.find((name, place) => !/^[A-Za-z0-9_]+$/.test(name) || names.indexOf(name) !== place);
  if (wrong !== undefined) throw new UsageFault("Names of query parameters have letters, digits and underscores, and each comes once.");
}
