import { STATUS_CODES } from "node:http";
import type { Reply } from "../../client/replies.ts";

export type ReplyText = { readonly text: string; readonly encoding: "latin1" | "utf8" };

/** Formats a reply exactly as node:http would write it. */
export function replyText(reply: Reply, requestId: string, connection: string): ReplyText {
  const body = JSON.stringify(reply.body);
  const bytes = Buffer.byteLength(body);
  const text =
    `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
    `Content-Length: ${bytes}\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n` +
    `X-Request-Id: ${requestId}\r\n${more(reply)}Date: ${httpDate()}\r\n${connection}\r\n${body}`;
  // ASCII text is the same in both encodings and faster to write as latin1.
  return { text, encoding: bytes === body.length ? "latin1" : "utf8" };
}

function more({ headers }: Reply): string {
  if (!headers) return "";
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}

let second = 0;
let date = "";

function httpDate(): string {
  const now = Date.now();
  if (now < second || now >= second + 1000) {
    second = now - (now % 1000);
    date = new Date(now).toUTCString();
  }
  return date;
}
