// Prints the signature of a request. ../README.md says how to call it.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

// #region sign
type Request = {
  readonly method: "GET" | "POST";
  /** Without host, query and trailing slash. */
  readonly path: string;
  /** Decoded names and values. */
  readonly query: readonly (readonly [string, string])[];
  /** The exact bytes that are sent. */
  readonly body: Uint8Array;
  readonly timestamp: string;
  readonly nonce: string;
};

export function sign(request: Request, secret: string): string {
  const lines = [
    request.method,
    request.path,
    canonicalQuery(request.query),
    createHash("sha256").update(request.body).digest("hex"),
    request.timestamp,
    request.nonce,
  ];
  return createHmac("sha256", secret).update(lines.join("\n")).digest("hex");
}

function canonicalQuery(query: Request["query"]): string {
  return query
    .filter(([name]) => name !== "token")
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${percent(name)}=${percent(value)}`)
    .join("&");
}

function percent(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
// #endregion

const [method, path = "", timestamp = "", nonce = "", ...pairs] = process.argv.slice(2);
const secret = process.env["CORPRAIL_SIGNING_SECRET"];
if ((method !== "GET" && method !== "POST") || nonce === "" || !secret) {
  process.stderr.write("CORPRAIL_SIGNING_SECRET=sig_... sign METHOD PATH TIMESTAMP NONCE [name=value ...] < body\n");
  process.exit(2);
}
const query = pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)] as const);
process.stdout.write(`${sign({ method, path, query, body: readFileSync(0), timestamp, nonce }, secret)}\n`);
