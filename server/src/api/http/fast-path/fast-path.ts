import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Incoming } from "../../client/incoming.ts";
import { NO_BODY } from "../../client/read-body.ts";
import type { Reply } from "../../client/replies.ts";
import type { Serve } from "../client-api.ts";
import { batchPerTurn } from "./batch-per-turn.ts";
import { createFairScheduler, createTurnLimits, type TurnLimits } from "./fair-scheduler.ts";
import { type ReplyText, replyText } from "./reply-text.ts";
import { readSimpleRequest, type SimpleRequest } from "./simple-request.ts";

export type FastPathOptions = {
  readonly serve: Serve;
  /** Refuses a request that would wait too long. */
  readonly shed: Serve;
  /** While an account's oldest unread request has waited this long, its new requests are refused unread. */
  readonly lateMilliseconds: number;
  /** The account that sent these bytes. When more requests arrive than can be served, accounts take turns. */
  readonly ownerOf: (bytes: Buffer) => string;
  readonly headersTimeoutMilliseconds: number;
  readonly keepAliveMilliseconds: number;
  /** Called when no request has arrived on a new connection within the time limit for headers. */
  readonly onSilent: (socket: Socket) => void;
  /** Wraps a connection for node:http. `first` contains the bytes that were already read. */
  readonly toNodeHttp: (socket: Socket, first: Buffer) => Duplex;
};

export type FastPath = {
  /** From now on every reply closes its connection. */
  readonly closeAfterReplies: () => void;
  /** Closes connections without a request in progress. */
  readonly endIdle: () => void;
  readonly destroyAll: () => void;
};

/** A connection on the fast path. It has at most one request in progress. */
type Connection = {
  readonly socket: Socket;
  busy: boolean;
  hasSentRequest: boolean;
  /** The client sends nothing more. It may have closed the connection, or only its half of it. */
  hasEnded: boolean;
  since: number;
  held: Buffer | null;
  /** The owner of the request that waits in the backlog. */
  owner: string;
  readonly leave: () => void;
};
/** Unread bytes of a connection. A null chunk is the end of the connection, which is queued behind its bytes. */
type Arrival = { readonly connection: Connection; readonly chunk: Buffer | null; readonly at: number };
type Outgoing = {
  readonly connection: Connection;
  readonly text: ReplyText | null;
  readonly isLast: boolean;
  readonly onSent?: Reply["onSent"];
};

const SWEEP_MILLISECONDS = 1_000;
const CLIENT_API = "/api/corp/";
// Like node:http, keeps a connection open a little longer than announced, so that the client never finds it closed.
const GRACE_MILLISECONDS = 1_000;

/**
 * Answers ordinary requests of the client API directly on the socket, at half the cost of node:http. A connection that
 * sends anything else is handed to node:http from that byte on. Must be started after all other listeners.
 */
export function startFastPath(server: Server, options: FastPathOptions): FastPath {
  const others = server.listeners("connection");
  const connections = new Map<Socket, Connection>();
  const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${options.keepAliveMilliseconds / 1000}\r\n`;
  let isClosing = false;

  const readAll: ReadAll = (all, serve = options.serve) => {
    for (const arrival of all) {
      if (arrival.chunk !== null) begin(arrival, arrival.chunk, serve);
      // A client that has closed its half of the connection still gets the reply that it waits for.
      else if (!arrival.connection.busy) write({ connection: arrival.connection, text: null, isLast: true });
    }
  };
  const turnLimits = createTurnLimits();
  const readLater = queueRequests(readAll, turnLimits, options);
  // Health checks, metrics and pages do not wait behind a flood of client requests.
  const readFirst = batchPerTurn<Arrival>((all) => readAll(all));

  function receive(connection: Connection, chunk: Buffer): void {
    if (connection.busy) {
      connection.held = connection.held === null ? chunk : Buffer.concat([connection.held, chunk]);
      connection.socket.pause();
      return;
    }
    connection.busy = true;
    const arrival = { connection, chunk, at: performance.now() };
    if (isClientApi(chunk)) readLater(arrival);
    else readFirst(arrival);
  }

  function begin({ connection, at }: Arrival, chunk: Buffer, serve: Serve): void {
    // Unsent replies are also handled by node:http, which applies backpressure.
    const request = connection.socket.writableLength > 0 ? null : readSimpleRequest(chunk);
    if (request === null) {
      handToNodeHttp(connection, connection.held === null ? chunk : Buffer.concat([chunk, connection.held]));
      return;
    }
    connection.hasSentRequest = true;
    serve(incoming(request, connection.socket, at), (reply, requestId) => {
      // If the client has already sent another request, that one is answered too.
      const isLast = isClosing && connection.held === null;
      write({ connection, text: replyText(reply, requestId, isLast ? "Connection: close\r\n" : keepAlive), isLast, onSent: reply.onSent });
    });
  }

  const write = batchPerTurn<Outgoing>((all) => {
    for (const outgoing of all) {
      if (outgoing.text === null) outgoing.connection.socket.end();
      else send(outgoing, outgoing.text);
    }
  });

  function send({ connection, isLast, onSent }: Outgoing, { text, encoding }: ReplyText): void {
    const { socket } = connection;
    if (!socket.writable) {
      onSent?.(false);
      return;
    }
    // The client may be gone, so the reply does not count as sent, and version 3 sends a callback.
    socket.write(text, encoding, onSent && ((error) => onSent(!error && !connection.hasEnded)));
    connection.busy = false;
    connection.since = performance.now();
    if (isLast || (connection.hasEnded && connection.held === null)) socket.destroySoon();
    else if (connection.held !== null) handToNodeHttp(connection, connection.held);
  }

  function handToNodeHttp({ socket, leave }: Connection, chunk: Buffer): void {
    leave();
    if (socket.destroyed) return;
    const connection = options.toNodeHttp(socket, chunk);
    for (const listener of others) listener.call(server, connection);
  }

  server.removeAllListeners("connection").on("connection", (accepted: Socket) => {
    turnLimits.noteAccepted();
    addConnection(connections, accepted, { receive, end: (connection) => readLater({ connection, chunk: null, at: performance.now() }) });
  });
  const sweeper = setInterval(() => sweep(connections, options), SWEEP_MILLISECONDS).unref();
  server.once("close", () => clearInterval(sweeper));
  return {
    closeAfterReplies: () => {
      isClosing = true;
    },
    endIdle: () => {
      for (const [socket, connection] of connections) if (!connection.busy) socket.destroy();
    },
    destroyAll: () => {
      for (const socket of connections.keys()) socket.destroy();
    },
  };
}

type QueueOptions = Pick<FastPathOptions, "shed" | "ownerOf" | "lateMilliseconds">;
type ReadAll = (all: readonly Arrival[], serve?: Serve) => void;

export function queueRequests(
  readAll: ReadAll,
  { maxItemsNow, budgetMilliseconds }: TurnLimits,
  options: QueueOptions,
): (arrival: Arrival) => void {
  return createFairScheduler({
    run: (all) => readAll(all),
    shed: (all) => readAll(all, options.shed),
    // The end of a connection waits behind its last request, but no client waits for it.
    isLate: ({ chunk, at }) => chunk !== null && performance.now() - at > options.lateMilliseconds,
    maxItemsNow,
    budgetMilliseconds,
    ownerOf: (arrival) => ownerOf(arrival, options),
  });
}

function ownerOf({ connection, chunk }: Arrival, options: QueueOptions): string {
  // The end of a connection has the owner of its last request, so that it stays behind that request.
  if (chunk !== null) connection.owner = options.ownerOf(chunk);
  return connection.owner;
}

function isClientApi(chunk: Buffer): boolean {
  const path = chunk.indexOf("/", 0, "latin1");
  return path >= 0 && path < 8 && chunk.toString("latin1", path, path + CLIENT_API.length) === CLIENT_API;
}

type Handlers = { readonly receive: (connection: Connection, chunk: Buffer) => void; readonly end: (connection: Connection) => void };

function addConnection(connections: Map<Socket, Connection>, socket: Socket, { receive, end }: Handlers): void {
  const onData = (chunk: Buffer) => receive(connection, chunk);
  const onEnd = () => {
    connection.hasEnded = true;
    end(connection);
  };
  const onClose = () => void connections.delete(socket);
  const leave = () => {
    connections.delete(socket);
    socket.off("data", onData).off("end", onEnd).off("close", onClose).off("error", ignore);
  };
  const connection: Connection = {
    socket,
    busy: false,
    hasSentRequest: false,
    hasEnded: false,
    since: performance.now(),
    held: null,
    owner: "",
    leave,
  };
  connections.set(socket, connection);
  socket.on("data", onData).on("end", onEnd).on("close", onClose).on("error", ignore);
}

/** Closes connections that have been idle for too long. */
function sweep(connections: ReadonlyMap<Socket, Connection>, options: FastPathOptions): void {
  const now = performance.now();
  for (const [socket, connection] of connections) {
    const quietMilliseconds = connection.busy ? 0 : now - connection.since;
    if (connection.hasSentRequest && quietMilliseconds >= options.keepAliveMilliseconds + GRACE_MILLISECONDS) socket.destroy();
    if (connection.hasSentRequest || quietMilliseconds < options.headersTimeoutMilliseconds) continue;
    connection.leave();
    options.onSilent(socket.on("error", ignore));
  }
}

function incoming({ method, target, rawHeaders, body }: SimpleRequest, socket: Socket, arrivedAt: number): Incoming {
  return {
    method,
    target,
    rawHeaders,
    socket,
    arrivedAt,
    read: (limitBytes) => (body.length > limitBytes ? { kind: "too large" } : { kind: "whole", bytes: body.length === 0 ? NO_BODY : body }),
  };
}

function ignore(): void {}
