// Receives Corprail's callbacks. ../README.md says how to start it. Node 20 or later.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";

const FRESH_SECONDS = 300;
const MAX_BODY_BYTES = 64 * 1024;

const { CORPRAIL_TOKEN: token = "", CORPRAIL_CALLBACK_SECRET: secret = "", STATE_DIR: state = "receiver-state" } = process.env;

type Fields = Readonly<Record<string, string>>;
type Answer = readonly [status: number, text: string];

// #region verify
function same(key: string, message: string | Buffer, given: unknown): boolean {
  const [made, got] = [Buffer.from(createHmac("sha256", key).update(message).digest("hex")), Buffer.from(String(given ?? ""))];
  return made.length === got.length && timingSafeEqual(made, got);
}

/** Version 2: the hash covers every parameter that arrived except itself. */
function verifiedQuery(query: URLSearchParams): Fields | null {
  const names = [...query.keys()];
  if (token === "" || new Set(names).size !== names.length) return null;
  const signed = [...query].filter(([name]) => name !== "hash").sort(([a], [b]) => (a < b ? -1 : 1));
  const text = signed.map(([name, value]) => `${name}=${value}`).join("&");
  return same(token, text, query.get("hash")) && query.get("v") === "2" ? Object.fromEntries(signed) : null;
}

/** Version 3: the signature covers the exact bytes, so it is checked before parsing. */
function verifiedBody(body: Buffer, signature: unknown): Fields | null {
  if (secret === "" || !same(secret, body, signature)) return null;
  const fields = JSON.parse(body.toString("utf8")) as Fields;
  return fields["v"] === "3" ? fields : null;
}
// #endregion

// #region book
/** True the first time. In production, use an insert into a table with a unique key. */
function once(kind: "nonces" | "booked", key: string): boolean {
  mkdirSync(join(state, kind), { recursive: true });
  try {
    closeSync(openSync(join(state, kind, createHash("sha256").update(key).digest("hex")), "wx"));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Returns the answer to a callback whose signature is valid. */
function take(fields: Fields): Answer {
  const now = Number(process.env["CLOCK_SECONDS"] ?? Math.floor(Date.now() / 1000));
  const { ts = "", nonce = "" } = fields;
  if (!/^[0-9]{10}$/.test(ts) || Math.abs(now - Number(ts)) > FRESH_SECONDS) return [403, "stale"];
  if (nonce === "" || !once("nonces", nonce)) return [403, "replayed"];
  // A FAILED after a SUCCESS has another key: it must be applied.
  const key = fields["event"] === "complaint" ? `complaint ${fields["complaint_ref"]}` : `${fields["orderid"]} ${fields["status"]}`;
  if (!once("booked", key)) return [200, "known"];
  if (fields["test"] === "1") return [200, "test"];
  return [200, "booked"]; // Here your own work: in one transaction with the key.
}
// #endregion

async function read(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function verified(request: IncomingMessage, body: Buffer): Fields | null {
  try {
    if (request.method === "POST") return verifiedBody(body, request.headers["x-callback-signature"]);
    return verifiedQuery(new URL(request.url ?? "/", "http://receiver").searchParams);
  } catch {
    return null;
  }
}

function answer(request: IncomingMessage, body: Buffer): Answer {
  const fields = verified(request, body);
  if (fields === null) return [403, "wrong signature"];
  const [status, text] = take(fields);
  if (status === 200) process.stdout.write(`${JSON.stringify({ result: text, ...fields })}\n`);
  return [status, text];
}

if (token === "" && secret === "") {
  process.stderr.write("Set CORPRAIL_TOKEN (version 2) or CORPRAIL_CALLBACK_SECRET (version 3), or both.\n");
  process.exit(1);
}
createServer(async (request, response) => {
  try {
    const body = request.method === "GET" || request.method === "POST" ? await read(request) : null;
    const [status, text] = body === null ? [400, "not a callback"] : answer(request, body);
    response.writeHead(status, { "content-type": "text/plain" }).end(`${text}\n`);
  } catch (error) {
    process.stderr.write(`${error}\n`);
    response.writeHead(500).end("not booked\n"); // Not 2xx: it will be sent again.
  }
}).listen(Number(process.env["PORT"] ?? 3000), process.env["HOST"] ?? "127.0.0.1");
