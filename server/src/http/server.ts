import { createServer, type IncomingMessage, METHODS, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type Reply, refusalReply } from "../corp-api/replies.ts";
import { pathFault, pathOf } from "../gate/target.ts";
import type { Ids } from "../kernel/ids.ts";
import { refused } from "../kernel/refusals.ts";
import { type ClientApi, type Handler, writeReply } from "./client-api.ts";
import { type Connections, followConnections } from "./connections.ts";
import { type Lane, openLane } from "./lane.ts";

export type HttpServer = {
  readonly port: number;
  /** Stops accepting, lets what is in flight end, and cuts off what has not by then. */
  readonly close: (graceMilliseconds: number) => Promise<void>;
};

export type HttpOptions = {
  readonly host: string;
  readonly port: number;
  readonly clientApi: ClientApi;
  /** Everything that is not the client API: operator API, sites, health. */
  readonly others: Handler;
  readonly ids: Ids;
};

const CLIENT_API = /^\/api\/corp(?:\/|$)/;
// Names in these may need escapes.
const SITES = /^\/(?:portal|console|docs)(?:\/|$)/;

const HEADERS_MILLISECONDS = 10_000;
const KEEP_ALIVE_MILLISECONDS = 65_000;

export async function listen(options: HttpOptions): Promise<HttpServer> {
  const server = createServer({
    headersTimeout: HEADERS_MILLISECONDS,
    requestTimeout: 20_000,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: 16 * 1024,
    // Asked below, so that its absence is refused like anything else.
    requireHostHeader: false,
  });
  // Beyond a number Node would leave headers out, and with them one that was sent twice; their size is bounded anyway.
  server.maxHeadersCount = 0;
  const connections = followConnections(server);
  server.on("request", (request, response) => {
    connections.opened(request, response);
    if (isCurrentHttp(request)) choose(options, request, response);
    else writeReply(request, response, NOT_HTTP, options.ids.request());
  });
  server.on("checkExpectation", (request, response) => writeReply(request, response, UNMET, options.ids.request()));
  server.on("connect", (request, socket) => {
    // A tunnel is asked for by host and port; with a path it is a wrong method like any other.
    const reply = request.url?.startsWith("/") ? WRONG_METHOD : NOT_HTTP;
    void refuseConnection(connections, reply, socket as Socket, options.ids);
  });
  server.on("clientError", (error: ParserError, socket) => {
    if (error.code === "ECONNRESET") socket.destroy();
    else void refuseConnection(connections, faultOf(error), socket as Socket, options.ids);
  });
  const lane = openLane(server, {
    serve: options.clientApi.serve,
    headersTimeoutMilliseconds: HEADERS_MILLISECONDS,
    keepAliveMilliseconds: KEEP_ALIVE_MILLISECONDS,
    onSilent: (socket) => void refuseConnection(connections, LATE, socket, options.ids),
  });
  await bind(server, options);
  return { port: (server.address() as AddressInfo).port, close: (grace) => close(server, connections, lane, grace) };
}

async function bind(server: Server, { host, port }: HttpOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "EADDRINUSE" ? "another program listens there; set CORPRAIL_PORT to a free port" : error.message;
    throw new Error(`Corprail cannot listen on ${host}:${port}: ${why}.`, { cause: error });
  });
}

function isCurrentHttp(request: IncomingMessage): boolean {
  return request.httpVersion === "1.0" || (request.httpVersion === "1.1" && request.headers.host !== undefined);
}

function choose(options: HttpOptions, request: IncomingMessage, response: ServerResponse): void {
  const path = pathOf(request.url ?? "");
  const ours = CLIENT_API.test(path) || (pathFault(path) !== null && !SITES.test(path));
  (ours ? options.clientApi : options.others)(request, response);
}

function fault(status: number, message: string): Reply {
  const { body } = refusalReply(refused("invalid_request", message), { reference: null, signedService: false });
  return { status, body, headers: { Connection: "close" } };
}

const NOT_HTTP = fault(400, "The request is not valid HTTP/1.1 with a Host, or HTTP/1.0.");
const WRONG_METHOD = refusalReply(refused("method_not_allowed", "There is no such method here."), {
  reference: null,
  signedService: false,
});
const UNMET = fault(417, "The only expectation known here is 100-continue.");
const LATE = fault(408, "The request did not arrive in time.");
const FAULTS: Readonly<Record<string, Reply>> = {
  HPE_HEADER_OVERFLOW: fault(431, "The headers are larger than 16 KiB."),
  ERR_HTTP_REQUEST_TIMEOUT: LATE,
};

type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };
const REQUEST_LINE = /^([A-Za-z]+) \/\S* HTTP\/1\.[01]\r\n/;

// The parser says "invalid method" of anything that does not begin with one it knows, noise included.
function faultOf(error: ParserError): Reply {
  const [, method] = REQUEST_LINE.exec(error.rawPacket?.toString("latin1", 0, 4096) ?? "") ?? [];
  // A packet that begins with a known one held a good request before the noise.
  if (error.code === "HPE_INVALID_METHOD" && method !== undefined && !METHODS.includes(method)) return WRONG_METHOD;
  return FAULTS[error.code ?? ""] ?? NOT_HTTP;
}

const LINGER_MILLISECONDS = 1_000;
const refusedSockets = new WeakSet<Socket>();

// What is not HTTP gets the shape of a refusal all the same, so that a client can log one thing.
async function refuseConnection(connections: Connections, reply: Reply, socket: Socket, ids: Ids): Promise<void> {
  // Whatever else it sends is an error again.
  if (refusedSockets.has(socket)) return;
  refusedSockets.add(socket);
  // Requests that came before it on the same connection are answered first, or this would be taken for their answer.
  await connections.answered(socket);
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(reply.body);
  socket.end(
    `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nX-Request-Id: ${ids.request()}\r\n\r\n${body}`,
  );
  // Closing on a sender that is still writing would take the refusal away from it.
  const cut = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS);
  socket.once("close", () => clearTimeout(cut)).resume();
}

function close(server: Server, connections: Connections, lane: Lane, graceMilliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    // Connections fall idle one by one as their replies go out.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    const cut = setTimeout(() => {
      lane.cut();
      server.closeAllConnections();
    }, graceMilliseconds);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(cut);
      resolve();
    });
    lane.wind();
    connections.wind();
    server.closeIdleConnections();
  });
}
