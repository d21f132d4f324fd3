import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type AddressInfo, Server as NetServer } from "node:net";
import type { Ids } from "../../platform/core/ids.ts";
import { pathFault, pathOf } from "../client/gate/request-target.ts";
import type { ClientApi, Handler } from "./client-api.ts";
import { hasOtherErrorFormat } from "./error-format.ts";
import { type FastPath, startFastPath } from "./fast-path.ts";
import { createGuardedServer, HEADERS_MILLISECONDS, KEEP_ALIVE_MILLISECONDS, LATE } from "./guarded-server.ts";

export type HttpServer = {
  readonly port: number;
  /** Goes on serving, but from now on every connection's last reply says that it is the last. */
  readonly drain: () => void;
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
  /** For tests; see `FastPathOptions`. */
  readonly lateMilliseconds?: number;
};

const CLIENT_API = /^\/api\/corp(?:\/|$)/;
// Where such a path leads depends on who reads it.
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/;

// Part of the second that a request may wait in all.
const LATE_MILLISECONDS = 500;
// Connections that readRequest in one burst; with fewer places the kernel drops some, and their clients wait for seconds.
const BACKLOG = 4_096;
// After a drain, connections without a request are served for this long while new ones are refused: a proxy takes that
// for the sign to send its requests elsewhere, so that none is on its way when they are closed.
const IDLE_MILLISECONDS = 500;

export async function listen(options: HttpOptions): Promise<HttpServer> {
  const { server, connections, refuse } = createGuardedServer(options.ids, (request, response) => choose(options, request, response));
  server.on("clientError", refuse);
  const fastPath = startFastPath(server, {
    serve: options.clientApi.serve,
    shed: options.clientApi.shed,
    lateMilliseconds: options.lateMilliseconds ?? LATE_MILLISECONDS,
    ownerOf: options.clientApi.ownerOf,
    headersTimeoutMilliseconds: HEADERS_MILLISECONDS,
    keepAliveMilliseconds: KEEP_ALIVE_MILLISECONDS,
    onSilent: (socket) => refuse(LATE, socket),
    toNodeHttp: connections.adopt,
  });
  await bind(server, options);
  let drained = false;
  const drain = () => {
    drained = true;
    fastPath.closeAfterReplies();
    connections.closeAfterReplies();
  };
  return {
    port: (server.address() as AddressInfo).port,
    drain,
    close: async (grace) => {
      const idleMilliseconds = drained ? IDLE_MILLISECONDS : 0;
      drain();
      await close(server, fastPath, idleMilliseconds, grace);
    },
  };
}

async function bind(server: Server, { host, port }: HttpOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "EADDRINUSE" ? "another program listens there; set CORPRAIL_PORT to a free port" : error.message;
    throw new Error(`Corprail cannot listen on ${host}:${port}: ${why}.`, { cause: error });
  });
}

function choose(options: HttpOptions, request: IncomingMessage, response: ServerResponse): void {
  const path = pathOf(request.url ?? "");
  const ours = CLIENT_API.test(path) || (pathFault(path) !== null && (!hasOtherErrorFormat(path) || DOT_SEGMENT.test(path)));
  (ours ? options.clientApi : options.others)(request, response);
}

function close(server: Server, fastPath: FastPath, idleMilliseconds: number, graceMilliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timers: NodeJS.Timeout[] = [];
    const endIdle = () => {
      fastPath.endIdle();
      server.closeIdleConnections();
    };
    afterAccepting(() => {
      // Not http.Server's own close, which ends the connections without a request at once.
      NetServer.prototype.close.call(server, () => {
        for (const timer of timers) clearTimeout(timer);
        // Ends what node:http does now and then.
        server.close(() => resolve());
      });
    });
    const end = () => {
      endIdle();
      // Connections fall idle one by one as their replies go out.
      timers.push(setInterval(endIdle, 50));
    };
    if (idleMilliseconds === 0) end();
    else timers.push(setTimeout(end, idleMilliseconds));
    const destroyAll = () => {
      fastPath.destroyAll();
      server.closeAllConnections();
    };
    timers.push(setTimeout(destroyAll, graceMilliseconds));
  });
}

/**
 * The kernel resets connections that wait to be accepted when the port is closed. Of two immediates in a row the second
 * follows a readLater at the network that waits for nothing, so that next to none are left.
 */
function afterAccepting(run: () => void): void {
  setImmediate(() => setImmediate(run));
}
