import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { CallbackVerifier, IncomingCallback, Verdict } from "@corprail/sdk";
import { listenOn } from "@corprail/server/platform/network/listen-on";
import { redact } from "@corprail/server/platform/observability/redact";
import { type Credentials, findCredentials, type ProfileOption } from "../client/credentials.ts";
import { done, errorText, type Outcome, UsageFault } from "../shared/outcome.ts";
import type { ClientContext, OutputOptions } from "../shared/run-command.ts";
import { createVerifier } from "./create-verifier.ts";
import { whyRefused } from "./why-refused.ts";

export type ListenOptions = ProfileOption &
  OutputOptions & { readonly port?: number; readonly host?: string; readonly forward?: string; readonly forwardAll?: boolean };

type Receiver = {
  readonly verifier: CallbackVerifier;
  readonly credentials: Credentials;
  readonly to: URL | null;
  readonly options: ListenOptions;
};
type Line = Readonly<Record<string, unknown>> & { readonly verified: boolean; readonly answered: number };

// As long as the service itself waits for a receiver.
const FORWARD_TIMEOUT_MILLISECONDS = 10_000;
// These headers belong to one connection, so they are not forwarded.
const CONNECTION_HEADERS = new Set(["connection", "content-length", "host", "keep-alive", "transfer-encoding", "upgrade", "expect", "te"]);
const DEFAULT_PORT = 8787;
const MOST_BYTES = 64 * 1024;

/** Receives callbacks until SIGINT or SIGTERM: verifies each one, prints a line, forwards it and answers. */
export async function listenForCallbacks(ctx: ClientContext, options: ListenOptions): Promise<Outcome> {
  const to = options.forward === undefined ? null : forwardUrl(options.forward);
  const credentials = await findCredentials(ctx, options);
  const receiver: Receiver = { verifier: createVerifier(credentials), credentials, to, options };
  const counts = { verified: 0, refused: 0 };
  const server = createServer((request, response) => {
    receive(receiver, request, response)
      .then((line) => {
        counts[line.verified ? "verified" : "refused"] += 1;
        process.stdout.write(`${redact(options.json ? JSON.stringify(line) : lineText(line))}\n`);
      })
      .catch(() => response.destroy());
  });
  const stopped = untilStopped();
  const address = await listenOn(server, { port: options.port ?? DEFAULT_PORT, host: options.host ?? "127.0.0.1" });
  ctx.note(`Listening on ${address}${to === null ? "" : `, forwarding to ${to.href}`}. Control-C ends it.`);
  await stopped;
  await closed(server);
  return done(`${counts.verified} verified, ${counts.refused} refused.`, counts);
}

async function receive(receiver: Receiver, request: IncomingMessage, response: ServerResponse): Promise<Line> {
  const body = await readBody(request);
  const { method = "", url = "", headers } = request;
  const incoming: IncomingCallback = { method, url, headers, body: body ?? Buffer.alloc(0) };
  const verdict: Verdict = body === null ? { ok: false, reason: "malformed" } : await receiver.verifier.verify(incoming);
  const passed = receiver.to !== null && (verdict.ok || receiver.options.forwardAll) ? await forward(receiver.to, incoming) : null;
  const own = verdict.ok ? { status: 200, text: "ok\n" } : { status: 403, text: `${verdict.reason}\n` };
  response.writeHead(passed?.status ?? own.status, { "content-type": passed?.type ?? "text/plain; charset=utf-8" });
  response.end(passed?.body ?? own.text);
  return describe(receiver, incoming, verdict, passed, passed?.status ?? own.status);
}

function describe(
  { credentials }: Receiver,
  incoming: IncomingCallback,
  verdict: Verdict,
  passed: Forwarded | null,
  answered: number,
): Line {
  const outcome = { forwarded: passed !== null, ...(passed?.error ? { forward_error: passed.error } : {}), answered };
  const at = new Date().toISOString();
  if (!verdict.ok) {
    const { check, text } = whyRefused(incoming, verdict.reason, credentials, Math.floor(Date.now() / 1000));
    return { at, verified: false, failed_check: check, why: text, ...outcome };
  }
  const { version, kind, parameters } = verdict.callback;
  return { at, verified: true, version, kind, callback: parameters, ...outcome };
}

function lineText(line: Line): string {
  const callback = (line["callback"] ?? {}) as Readonly<Record<string, string>>;
  const shown = ["status", "orderid", "urid", "amount", "account", "complaint_ref", "refund_amount"];
  const facts = shown.flatMap((name) => (callback[name] === undefined ? [] : [`${name}=${callback[name]}`]));
  const head = line.verified ? `v${line["version"]} ${line["kind"]} ${facts.join(" ")}` : `REFUSED ${line["failed_check"]}: ${line["why"]}`;
  const error = line["forward_error"] === undefined ? "" : ` (not forwarded: ${line["forward_error"]})`;
  return `${line["at"]} ${head} -> ${line.answered}${error}`;
}

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes <= MOST_BYTES) parts.push(part);
  }
  return bytes > MOST_BYTES ? null : Buffer.concat(parts);
}

// Requests in progress are answered. Idle connections are closed.
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}

type Forwarded = { readonly status: number; readonly body: Buffer; readonly type: string | null; readonly error: string | null };

/** Reads the address of --forward. It has no query of its own, because version 2 signs every parameter that arrives. */
function forwardUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw new UsageFault("--forward is an http or https address.");
  if (url.search !== "" || url.hash !== "") throw new UsageFault("--forward takes no query: version 2 signs every parameter that arrives.");
  return url;
}

/** Sends the same method, query, headers and bytes, so that the receiver can verify the callback itself. */
async function forward(to: URL, { method, url, headers, body }: IncomingCallback): Promise<Forwarded> {
  const query = url.includes("?") ? url.slice(url.indexOf("?")) : "";
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "string" && !CONNECTION_HEADERS.has(name) ? [[name, value] as [string, string]] : [],
  );
  try {
    const response = await fetch(`${to.href}${query}`, {
      method,
      headers: kept,
      ...(method === "POST" ? { body } : {}),
      redirect: "manual",
      signal: AbortSignal.timeout(FORWARD_TIMEOUT_MILLISECONDS),
    });
    const answer = Buffer.from(await response.arrayBuffer());
    return { status: response.status, body: answer, type: response.headers.get("content-type"), error: null };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { status: 502, body: Buffer.from("not forwarded\n"), type: "text/plain", error: errorText(cause) };
  }
}
