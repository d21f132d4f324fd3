import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { refusalReply } from "../corp-api/replies.ts";
import { pathFault, pathOf } from "../gate/target.ts";
import type { Ids } from "../kernel/ids.ts";
import { refused } from "../kernel/refusals.ts";
import type { Handler } from "./client-api.ts";

export type HttpServer = {
  readonly port: number;
  /** Stops accepting, lets what is in flight end, and cuts off what has not by then. */
  readonly close: (graceMilliseconds: number) => Promise<void>;
};

export type HttpOptions = {
  readonly host: string;
  readonly port: number;
  readonly clientApi: Handler;
  /** Everything that is not the client API: operator API, sites, health. */
  readonly others: Handler;
  readonly ids: Ids;
};

const CLIENT_API = /^\/api\/corp(?:\/|$)/;
// Names in these may need escapes.
const SITES = /^\/(?:portal|console|docs)(?:\/|$)/;

export async function listen(options: HttpOptions): Promise<HttpServer> {
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 20_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 16 * 1024,
    },
    (request, response) => choose(options, request, response),
  );
  server.on("clientError", (error, socket) => refuseConnection(error, socket as Socket, options.ids));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: (grace) => close(server, grace) };
}

function choose(options: HttpOptions, request: IncomingMessage, response: ServerResponse): void {
  const path = pathOf(request.url ?? "");
  const ours = CLIENT_API.test(path) || (pathFault(path) !== null && !SITES.test(path));
  (ours ? options.clientApi : options.others)(request, response);
}

const FAULTS: Readonly<Record<string, { readonly status: string; readonly message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: "431 Request Header Fields Too Large", message: "The headers are larger than 16 KiB." },
  ERR_HTTP_REQUEST_TIMEOUT: { status: "408 Request Timeout", message: "The request did not arrive in time." },
};

// What is not HTTP gets the shape of a refusal all the same, so that a client can log one thing.
function refuseConnection(error: NodeJS.ErrnoException, socket: Socket, ids: Ids): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const fault = FAULTS[error.code ?? ""] ?? { status: "400 Bad Request", message: "The request is not valid HTTP." };
  const body = JSON.stringify(refusalReply(refused("invalid_request", fault.message), { reference: null, signedService: false }).body);
  socket.end(
    `HTTP/1.1 ${fault.status}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Cache-Control: no-store\r\nX-Request-Id: ${ids.request()}\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

function close(server: Server, graceMilliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    // Connections fall idle one by one as their replies go out.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    const cut = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
