import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type AddressInfo, Server as NetServer } from "node:net";
import type { Ids } from "../../platform/core/ids.ts";
import { pathFault, pathOf } from "../client/gate/request-target.ts";
import type { ClientApi, Handler } from "./client-api.ts";
import { hasOtherErrorFormat } from "./error-format.ts";
import { type FastPath, startFastPath } from "./fast-path/fast-path.ts";
import { CLIENT_API, createGuardedServer, HEADERS_MILLISECONDS, KEEP_ALIVE_MILLISECONDS, LATE } from "./guarded-server.ts";
import { listenFault } from "./listen-fault.ts";

export type HttpServer = {
  readonly port: number;
  /** Keeps serving, but from now on the last reply on each connection closes it. */
  readonly drain: () => void;
  /** Stops accepting, waits for requests in progress, and then closes the remaining connections. */
  readonly close: (graceMilliseconds: number) => Promise<void>;
};

export type HttpOptions = {
  readonly host: string;
  readonly port: number;
  readonly clientApi: ClientApi;
  /** Handles everything except the client API: operator API, portal, console, health. */
  readonly others: Handler;
  readonly ids: Ids;
  /** For tests; see `FastPathOptions`. */
  readonly lateMilliseconds?: number;
  /** For tests: after how long without progress a reply counts as not read. */
  readonly unreadMilliseconds?: number;
};

// Programs resolve such a path differently.
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/;

// Part of the one second that a request may wait in total.
const LATE_MILLISECONDS = 500;
// For bursts of connections. With a shorter queue the kernel drops some, and their clients wait for seconds.
const BACKLOG = 4_096;
// After a drain, idle connections are served for this long while new ones are refused. A proxy then sends its requests
// elsewhere, so that none is on its way when the idle connections are closed.
const IDLE_MILLISECONDS = 500;

export async function listen(options: HttpOptions): Promise<HttpServer> {
  const handle: Handler = (request, response) => choose(options, request, response);
  const { server, connections, refuse } = createGuardedServer(options.ids, handle, options.unreadMilliseconds);
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
    throw listenFault({ host, port }, "CORPRAIL_PORT", error);
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
    const endIdle = () =>
      afterPolling(() => {
        fastPath.endIdle();
        server.closeIdleConnections();
      });
    afterPolling(() => {
      // Not http.Server's close, which closes idle connections at once.
      NetServer.prototype.close.call(server, () => {
        for (const timer of timers) clearTimeout(timer);
        // Stops node:http's periodic checks.
        server.close(() => resolve());
      });
    });
    const end = () => {
      endIdle();
      // Connections become idle one by one as their replies are sent.
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
 * Closing resets connections that wait to be accepted, and connections with a request that was not read yet. Between two
 * consecutive immediates the event loop polls the network without waiting, so that almost none are left.
 */
function afterPolling(run: () => void): void {
  setImmediate(() => setImmediate(run));
}
