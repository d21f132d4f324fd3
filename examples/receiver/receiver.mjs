// A receiver of Corprail's callbacks: verifies both versions, refuses stale and replayed ones, books each change once.
// Node 20 or later, no dependencies. README.md says how to start it.
import { createHmac, timingSafeEqual } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";

const FRESH_SECONDS = 300;
const MAX_BODY_BYTES = 64 * 1024;

const token = process.env.CORPRAIL_TOKEN ?? "";
const secret = process.env.CORPRAIL_CALLBACK_SECRET ?? "";
const port = Number(process.env.PORT ?? 3000);
const host = process.env.HOST ?? "127.0.0.1";
const file = process.env.BOOK_FILE ?? "";

if (token === "" && secret === "") {
  process.stderr.write("Set CORPRAIL_TOKEN (version 2) or CORPRAIL_CALLBACK_SECRET (version 3), or both.\n");
  process.exit(1);
}

// In production, use your database with a unique key, so that two processes cannot book the same change.
const booked = new Set(file !== "" && existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean).map(bookedKey) : []);
const nonces = new Map();

function bookedKey(line) {
  return JSON.parse(line).key;
}

/** The fields of a callback whose hash or signature is valid, else null. */
function verified(request, url, body) {
  return request.method === "POST" ? verifiedBody(request.headers["x-callback-signature"], body) : verifiedQuery(url);
}

// Version 3: the signature covers the exact bytes received, so it is checked before parsing.
function verifiedBody(signature, body) {
  if (secret === "" || !same(signature, hmac(secret, body))) return null;
  const fields = JSON.parse(body.toString("utf8"));
  return fields.v === "3" ? fields : null;
}

// Version 2: the hash covers every parameter that arrived except itself, not a fixed list.
function verifiedQuery(url) {
  const pairs = [...url.searchParams];
  const names = new Set(pairs.map(([name]) => name));
  if (token === "" || names.size !== pairs.length) return null;
  const signed = pairs.filter(([name]) => name !== "hash").sort(([a], [b]) => (a < b ? -1 : 1));
  const text = signed.map(([name, value]) => `${name}=${value}`).join("&");
  if (!same(url.searchParams.get("hash"), hmac(token, text))) return null;
  return url.searchParams.get("v") === "2" ? Object.fromEntries(signed) : null;
}

function hmac(key, message) {
  return createHmac("sha256", key).update(message).digest("hex");
}

function same(given, made) {
  const [a, b] = [Buffer.from(String(given ?? "")), Buffer.from(made)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** True if the callback is fresh and its nonce is new. Call it after the signature check, so that strangers cannot fill the memory. */
function isNew({ ts, nonce }) {
  const now = Math.floor(Date.now() / 1000);
  if (!/^[0-9]{10}$/.test(ts ?? "") || Math.abs(now - Number(ts)) > FRESH_SECONDS) return false;
  for (const [old, until] of nonces) if (until < now) nonces.delete(old);
  if (typeof nonce !== "string" || nonce === "" || nonces.has(nonce)) return false;
  nonces.set(nonce, Number(ts) + FRESH_SECONDS);
  return true;
}

// A FAILED after a SUCCESS has another key: it is a reversal and must be applied.
function keyOf(fields) {
  return fields.event === "complaint" ? `complaint ${fields.complaint_ref}` : `${fields.orderid} ${fields.status}`;
}

function book(fields) {
  const key = keyOf(fields);
  if (booked.has(key)) return "known";
  // The booking must be durable before the answer, because a callback is not sent again after a 2xx.
  if (file !== "") appendFileSync(file, `${JSON.stringify({ key, ...fields })}\n`, { flush: true });
  booked.add(key);
  return fields.test === "1" ? "test" : "booked";
}

function answer(request, body) {
  const url = new URL(request.url, "http://receiver");
  let fields;
  try {
    fields = verified(request, url, body);
  } catch {
    fields = null;
  }
  if (fields === null) return [403, "The signature is wrong."];
  if (!isNew(fields)) return [403, "Stale, or seen before."];
  const result = book(fields);
  process.stdout.write(`${JSON.stringify({ result, ...fields })}\n`);
  return [200, result];
}

async function read(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const server = createServer(async (request, response) => {
  try {
    const body = request.method === "GET" || request.method === "POST" ? await read(request) : null;
    const [status, text] = body === null ? [400, "Not a callback."] : answer(request, body);
    response.writeHead(status, { "content-type": "text/plain" }).end(`${text}\n`);
  } catch (error) {
    // It was not booked, so the answer is not 2xx, and it will be sent again.
    process.stderr.write(`${error}\n`);
    response.writeHead(500).end();
  }
});

server.listen(port, host, () => process.stdout.write(`${JSON.stringify({ listening: `http://${host}:${server.address().port}/` })}\n`));
