/** A request that arrived in one chunk and needs no full HTTP parser. */
export type SimpleRequest = {
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
};

const MAX_BYTES = 16 * 1024;
const HEAD = /^(GET|POST) (\/api\/corp\/[\x21-\x7e]*) HTTP\/1\.1\r\n((?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e]*\r\n)+)\r\n/;
// Headers that affect the framing of the message or the connection.
const MANAGED: ReadonlySet<string> = new Set([
  "connection",
  "transfer-encoding",
  "expect",
  "upgrade",
  "trailer",
  "te",
  "keep-alive",
  "proxy-connection",
  "http2-settings",
]);
const LENGTH = /^[1-9][0-9]{0,4}$/;
const SPACE = 0x20;

/**
 * Reads exactly one ordinary request of the client API; null for anything else, which is left to node:http. The body is a
 * view of the given bytes.
 */
export function readSimpleRequest(bytes: Buffer): SimpleRequest | null {
  if (bytes.length > MAX_BYTES) return null;
  const text = bytes.toString("latin1");
  const [whole = "", method = "", target = "", lines = ""] = HEAD.exec(text) ?? [];
  if (whole === "") return null;
  const rawHeaders: string[] = [];
  const lengths = { host: 0, body: 0 };
  for (let at = 0; at < lines.length; ) {
    const colon = lines.indexOf(":", at);
    const end = lines.indexOf("\r", colon);
    const name = lines.slice(at, colon);
    const value = valueBetween(lines, colon + 1, end);
    if (!note(lengths, name.toLowerCase(), value)) return null;
    rawHeaders.push(name, value);
    at = end + 2;
  }
  const fits = lengths.host === 1 && lengths.body > 0 === (method === "POST") && whole.length + lengths.body === bytes.length;
  return fits ? { method, target, rawHeaders, body: bytes.subarray(whole.length) } : null;
}

// Nearly every client writes exactly one space before a value. A value contains no white space but tabs and spaces, so
// trim() removes just the padding. A pattern would need quadratic time for many tabs.
function valueBetween(lines: string, from: number, to: number): string {
  const value = lines.slice(lines.charCodeAt(from) === SPACE ? from + 1 : from, to);
  return value.charCodeAt(0) <= SPACE || value.charCodeAt(value.length - 1) <= SPACE ? value.trim() : value;
}

/** Records a header; false if it makes the request not simple. */
function note(lengths: { host: number; body: number }, name: string, value: string): boolean {
  if (name === "host") return ++lengths.host === 1;
  if (name !== "content-length") return !MANAGED.has(name);
  if (lengths.body > 0 || !LENGTH.test(value)) return false;
  lengths.body = Number(value);
  return true;
}
