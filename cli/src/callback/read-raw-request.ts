import type { IncomingCallback } from "@corprail/sdk";
import { UsageFault } from "../outcome.ts";

const REQUEST_LINE = /^([A-Z]+) (\S+)(?: HTTP\/[0-9.]+)?$/;
const URL_ALONE = /^(?:https?:\/\/|\/)\S*$/;

/**
 * A request as it stood on the wire: the request line, headers, an empty line, the body's bytes. For version 2 the URL
 * alone will do.
 */
export function readRawRequest(bytes: Buffer): IncomingCallback {
  const end = headEnd(bytes);
  const [first = "", ...headerLines] = bytes.subarray(0, end.head).toString("utf8").split(/\r?\n/);
  const line = first.trim();
  if (URL_ALONE.test(line)) return { method: "GET", url: line, headers: {}, body: new Uint8Array() };
  const match = REQUEST_LINE.exec(line);
  if (!match)
    throw new UsageFault("This is no request: it begins with a line such as POST /callbacks HTTP/1.1, or it is a version 2 URL alone.");
  const [, method = "", url = ""] = match;
  return { method, url, headers: parseHeaders(headerLines), body: method === "GET" ? new Uint8Array() : bytes.subarray(end.body) };
}

function headEnd(bytes: Buffer): { readonly head: number; readonly body: number } {
  const ends = ["\r\n\r\n", "\n\n"].map((blank) => ({ at: bytes.indexOf(blank), length: blank.length })).filter(({ at }) => at >= 0);
  const first = ends.sort((one, other) => one.at - other.at)[0];
  return first === undefined ? { head: bytes.length, body: bytes.length } : { head: first.at, body: first.at + first.length };
}

function parseHeaders(lines: readonly string[]): Record<string, string> {
  const pairs = lines
    .filter((line) => line.includes(":"))
    .map((line) => [line.slice(0, line.indexOf(":")).trim().toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]);
  return Object.fromEntries(pairs);
}
