import { createServer, type IncomingMessage, METHODS, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { refused } from "../../domain/shared/refusals.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { pathOf } from "../client/gate/request-target.ts";
import { type Reply, refusalReply } from "../client/replies.ts";
import { type Handler, writeReply } from "./client-api.ts";
import { type Connections, followConnections } from "./connections.ts";
import { inErrorFormatOf } from "./error-format.ts";

export const HEADERS_MILLISECONDS = 10_000;
const BODY_MILLISECONDS = 20_000;
export const KEEP_ALIVE_MILLISECONDS = 65_000;
// The kernel reports progress only after a third of its buffer, up to 1.7 MB, was read. A slow client behind a proxy on the
// same machine needs about a minute and a half for that.
const UNREAD_MILLISECONDS = 120_000;

export const CLIENT_API = /^\/api\/corp(?:\/|$)/;

export type GuardedServer = {
  readonly server: Server;
  readonly connections: Connections;
  /** Answers a parser error or a given refusal and closes the connection. */
  readonly refuse: (why: ParserError | Reply, socket: NodeJS.WritableStream) => void;
};

/**
 * A server with time limits for headers, bodies and unread replies that requires exactly one Host header and answers invalid
 * HTTP in the error format of the requested path. Every port of the service uses it. The caller attaches `refuse` to clientError.
 */
export function createGuardedServer(ids: Ids, handle: Handler, unreadMilliseconds = UNREAD_MILLISECONDS): GuardedServer {
  const server = createServer({
    headersTimeout: HEADERS_MILLISECONDS,
    requestTimeout: BODY_MILLISECONDS,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: 16 * 1024,
    // Checked below, so that a missing Host is refused in the documented format.
    requireHostHeader: false,
  });
  // With a limit Node would drop headers, possibly a duplicate one. Their total size is limited anyway.
  server.maxHeadersCount = 0;
  const connections = followConnections(server, ({ url = "" }) => CLIENT_API.test(pathOf(url)));
  const paths = new WeakMap<Socket, string>();
  const refuse: GuardedServer["refuse"] = (why, stream) => {
    const socket = stream as Socket;
    if (why instanceof Error && why.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    const [reply, path] = why instanceof Error ? faultOf(why) : [why, null];
    void refuseConnection(connections, { reply, path: path ?? paths.get(socket) ?? null }, socket, ids);
  };
  const answer = (reply: Reply, ...[request, response]: Parameters<Handler>) => {
    const requestId = ids.request();
    writeReply(request, response, inErrorFormatOf(pathOf(request.url ?? ""), reply, requestId), requestId);
  };
  server.on("request", (request, response) => {
    paths.set(request.socket, pathOf(request.url ?? ""));
    endWhenUnread(request.socket, response, unreadMilliseconds);
    connections.add(request, response, () => {
      if (isCurrentHttp(request)) handle(request, response);
      else answer(NOT_HTTP, request, response);
    });
  });
  server.on("checkExpectation", (request, response) => answer(UNMET, request, response));
  // CONNECT names host and port. With a path it is an ordinary wrong method.
  server.on("connect", ({ url = "" }, socket) => {
    const path = url.startsWith("/") ? pathOf(url) : null;
    void refuseConnection(connections, { reply: path === null ? NOT_HTTP : WRONG_METHOD, path }, socket as Socket, ids);
  });
  return { server, connections, refuse };
}

/**
 * Breaks the connection if the client reads nothing of a reply for this long, because a client could do so forever. Node counts
 * the first bytes that the kernel took as progress, so it may take twice as long.
 */
function endWhenUnread(socket: Socket, response: ServerResponse, milliseconds: number): void {
  response.setTimeout(milliseconds, () => {
    // Without anything to read, the client waits for the service and not the other way round.
    if (response.writableLength > 0) socket.destroy();
  });
}

/** Contract, section 9b: two Host headers are refused, because a proxy may have used the other one. */
function isCurrentHttp({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === "host") hosts += 1;
  return (httpVersion === "1.1" && hosts === 1) || (httpVersion === "1.0" && hosts <= 1);
}

function fault(status: number, message: string): Reply {
  const { body } = refusalReply(refused("invalid_request", message), { reference: null, signedService: false });
  return { status, body, headers: { Connection: "close" } };
}

const NOT_HTTP = fault(400, "The request is not valid HTTP/1.1 with exactly one Host header, or HTTP/1.0.");
const WRONG_METHOD = refusalReply(refused("method_not_allowed", "This method is not supported."), {
  reference: null,
  signedService: false,
});
const UNMET = fault(417, "The only supported expectation is 100-continue.");
export const LATE = fault(408, "The request did not arrive in time.");
const FAULTS: Readonly<Record<string, Reply>> = {
  HPE_HEADER_OVERFLOW: fault(431, "The headers are larger than 16 KiB."),
  ERR_HTTP_REQUEST_TIMEOUT: LATE,
};

type ParserError = Error & { readonly code?: string; readonly rawPacket?: unknown };
const REQUEST_LINE = /^([A-Za-z]+) (\/\S*)(?: HTTP\/1\.[01])?\r\n/;

// The parser reports "invalid method" for anything that does not start with a known method, even for random bytes.
function faultOf(error: ParserError): readonly [Reply, path: string | null] {
  const packet = Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString("latin1", 0, 4096) : "";
  const [, method, target] = REQUEST_LINE.exec(packet) ?? [];
  const path = target === undefined ? null : pathOf(target);
  // A packet that starts with a known method contained a valid request before the invalid bytes.
  if (error.code === "HPE_INVALID_METHOD" && method !== undefined && !METHODS.includes(method)) return [WRONG_METHOD, path];
  return [FAULTS[error.code ?? ""] ?? NOT_HTTP, path];
}

const LINGER_MILLISECONDS = 1_000;
const refusedSockets = new WeakSet<Socket>();

type Refused = { readonly reply: Reply; readonly path: string | null };

// Invalid HTTP is also answered in the format of a refusal, so that a client can log it like any other.
async function refuseConnection(connections: Connections, { reply, path }: Refused, socket: Socket, ids: Ids): Promise<void> {
  // Further bytes of a refused connection cause further errors.
  if (refusedSockets.has(socket)) return;
  refusedSockets.add(socket);
  // Earlier requests on this connection are answered first. Otherwise this reply would be read as theirs.
  await connections.answered(socket);
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = ids.request();
  const body = JSON.stringify(inErrorFormatOf(path, reply, requestId).body);
  socket.end(
    `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nX-Request-Id: ${requestId}\r\n\r\n${body}`,
  );
  // Closing while the sender is still writing would lose the refusal.
  const cut = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS);
  socket.once("close", () => clearTimeout(cut)).resume();
}
