import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pathFault, pathOf } from "../gate/target.ts";
import type { Ids } from "../kernel/ids.ts";
import type { ClientApi, Handler } from "./client-api.ts";
import type { Connections } from "./connections.ts";
import { hasOwnErrors } from "./error-shape.ts";
import { createGuardedServer, HEADERS_MILLISECONDS, KEEP_ALIVE_MILLISECONDS, LATE } from "./guarded-server.ts";
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
// Where such a path leads depends on who reads it.
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/;

export async function listen(options: HttpOptions): Promise<HttpServer> {
  const { server, connections, refuse } = createGuardedServer(options.ids, (request, response) => choose(options, request, response));
  server.on("clientError", refuse);
  const lane = openLane(server, {
    serve: options.clientApi.serve,
    headersTimeoutMilliseconds: HEADERS_MILLISECONDS,
    keepAliveMilliseconds: KEEP_ALIVE_MILLISECONDS,
    onSilent: (socket) => refuse(LATE, socket),
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

function choose(options: HttpOptions, request: IncomingMessage, response: ServerResponse): void {
  const path = pathOf(request.url ?? "");
  const ours = CLIENT_API.test(path) || (pathFault(path) !== null && (!hasOwnErrors(path) || DOT_SEGMENT.test(path)));
  (ours ? options.clientApi : options.others)(request, response);
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
