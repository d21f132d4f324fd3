import { finished } from "node:stream/promises";
import type { Sql } from "../../platform/db/connection.ts";
import { textOf } from "../../platform/network/address.ts";
import { redact } from "../../platform/observability/redact.ts";
import type { Call, LoggedCalls } from "./call.ts";
import { storedReference } from "./store.ts";

/** Writes rows with COPY, the cheapest way. Either all or none are written. */
export async function copyCalls(sql: Sql, merged: readonly LoggedCalls[]): Promise<void> {
  const text = merged.map(lineOf).join("");
  await sql.begin(async (tx) => {
    const stream = await tx`
      copy api_calls (account_id, at, request_id, method, path, status, error, code, milliseconds, address, reference, order_id, signed,
        credential_id, times, token_id, request_body, reply_body) from stdin`.writable();
    stream.end(text);
    await finished(stream);
  });
}

function lineOf({ call, times, bodies }: LoggedCalls): string {
  const { signedBy } = call;
  const signed = signedBy === null ? "none\t\\N" : signedBy.how === "token" ? "token\t\\N" : `${signedBy.how}\t${signedBy.credentialId}`;
  // Only the reference, whose characters are harmless, and the path of a request without a route come from the caller.
  return (
    `${call.account.accountId}\t${isoTime(call.at)}\t${call.requestId}\t${call.method}\t${call.isFault ? written(call) : call.path}\t` +
    `${call.status}\t${call.error ?? "\\N"}\t${call.code ?? "\\N"}\t${Math.round(call.milliseconds * 100) / 100}\t${textOf(call.address)}\t` +
    `${storedReference(call) ?? "\\N"}\t${call.orderId ?? "\\N"}\t${signed}\t${times}\t${call.tokenId ?? "\\N"}\t${bodiesText(bodies)}\n`
  );
}

function bodiesText(bodies: LoggedCalls["bodies"]): string {
  return bodies === null ? "\\N\t\\N" : `${escaped(bodies.request)}\t${escaped(bodies.reply)}`;
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escaped(text: string): string {
  return text.replace(NEEDS_ESCAPE, (letter) => ESCAPES[letter] ?? "\u{fffd}");
}

const NEEDS_ESCAPE = /[\\\n\r\t\0\u{d800}-\u{dfff}]/gu;

function written({ path }: Call): string {
  return redact(path).replace(NEEDS_ESCAPE, (letter) => (letter === "\\" ? "\\\\" : "\u{fffd}"));
}

let second = 0;
let start = "";

/** Formats a time; everything except the milliseconds is cached for a second. */
function isoTime(milliseconds: number): string {
  const thisSecond = Math.floor(milliseconds / 1000);
  if (thisSecond !== second) {
    second = thisSecond;
    start = new Date(milliseconds).toISOString().slice(0, 20);
  }
  return `${start}${String(milliseconds - thisSecond * 1000).padStart(3, "0")}Z`;
}
