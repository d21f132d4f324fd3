import type { IncomingCallback } from "@corprail/sdk";
import { errorText, UsageFault } from "../outcome.ts";

export type Forwarded = { readonly status: number; readonly body: Buffer; readonly type: string | null; readonly error: string | null };

// The service's own patience with a receiver.
const TIMEOUT_MILLISECONDS = 10_000;
// About this connection, not about the message.
const OF_THE_CONNECTION = new Set(["connection", "content-length", "host", "keep-alive", "transfer-encoding", "upgrade", "expect", "te"]);

/** Where a callback goes on to. Without a query of its own: version 2 signs every parameter that arrives. */
export function forwardUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw new UsageFault("--forward is an http or https address.");
  if (url.search !== "" || url.hash !== "") throw new UsageFault("--forward takes no query: version 2 signs every parameter that arrives.");
  return url;
}

/** The same method, query, headers and bytes, so that the receiver behind can verify them itself. */
export async function forward(to: URL, { method, url, headers, body }: IncomingCallback): Promise<Forwarded> {
  const query = url.includes("?") ? url.slice(url.indexOf("?")) : "";
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "string" && !OF_THE_CONNECTION.has(name) ? [[name, value] as [string, string]] : [],
  );
  try {
    const response = await fetch(`${to.href}${query}`, {
      method,
      headers: kept,
      ...(method === "POST" ? { body } : {}),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    });
    const answer = Buffer.from(await response.arrayBuffer());
    return { status: response.status, body: answer, type: response.headers.get("content-type"), error: null };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { status: 502, body: Buffer.from("not forwarded\n"), type: "text/plain", error: errorText(cause) };
  }
}
