import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { PacedConnection } from "./fast-path/paced-connection.ts";

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly start: () => void };

/** Tracks the requests in progress on each connection of node:http. */
export type Connections = {
  /** Wraps a connection for node:http. `first` contains the bytes that were already read. */
  readonly adopt: (socket: Socket, first: Buffer) => PacedConnection;
  /** Starts a request after the earlier ones on its connection are answered (contract, section 9b). */
  readonly add: (request: IncomingMessage, response: ServerResponse, start: () => void) => void;
  /** Resolves when every completely received request on this connection has been answered. */
  readonly answered: (socket: Socket) => Promise<void>;
  /** From now on the last reply on each connection closes it. */
  readonly closeAfterReplies: () => void;
};

/** `isAwaited` says whether a reply is sent also to a client that has closed its half of the connection. */
export function followConnections(server: Server, isAwaited: (request: IncomingMessage) => boolean): Connections {
  // In order of arrival: the first is in progress, the others wait.
  const sockets = new Map<object, Exchange[]>();
  let isClosing = false;

  const isBusy = (connection: object) => sockets.get(connection)?.some(({ request }) => request.complete) ?? false;
  const awaits = (connection: object) => sockets.get(connection)?.some(({ request }) => request.complete && isAwaited(request)) ?? false;

  server.on("connection", (socket: Socket) => {
    sockets.set(socket, []);
    socket.once("close", () => sockets.delete(socket));
  });

  function add(request: IncomingMessage, response: ServerResponse, start: () => void): void {
    const { socket } = request;
    const exchanges = sockets.get(socket);
    if (!exchanges) return;
    const exchange = { request, response, start };
    exchanges.push(exchange);
    response.once("close", () => {
      exchanges.splice(exchanges.indexOf(exchange), 1);
      setImmediate(() => next(socket, exchanges));
    });
    if (exchanges.length > 1) return;
    // While closing, only after the whole chunk was parsed, because only then it is known whether more requests follow.
    if (isClosing) setImmediate(() => begin(socket, exchanges));
    else start();
  }

  function next(socket: Socket, exchanges: readonly Exchange[]): void {
    if (socket.destroyed) return;
    if (exchanges.length > 0) begin(socket, exchanges);
    else if (socket instanceof PacedConnection) socket.continueReading();
  }

  function begin(socket: Socket, exchanges: readonly Exchange[]): void {
    if (isClosing) closeAfterLastReply(socket, exchanges);
    exchanges[0]?.start();
  }

  async function answered(socket: Socket): Promise<void> {
    const whole = (sockets.get(socket) ?? []).filter((exchange) => exchange.request.complete);
    await Promise.all(whole.map(({ response }) => new Promise((resolve) => response.once("close", resolve))));
  }

  function closeAfterReplies(): void {
    isClosing = true;
    for (const [socket, exchanges] of sockets) closeAfterLastReply(socket, exchanges);
  }

  return { adopt: (socket, first) => new PacedConnection(socket, first, isBusy, awaits), add, answered, closeAfterReplies };
}

function closeAfterLastReply(socket: object, exchanges: readonly Exchange[]): void {
  const last = exchanges.at(-1);
  if (last && !(socket instanceof PacedConnection && socket.hasMore)) last.response.shouldKeepAlive = false;
}
