import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Incoming } from "../client/incoming.ts";
import { NO_BODY } from "../client/read-body.ts";
import type { Reply } from "../client/replies.ts";
import type { Serve } from "./client-api.ts";
import { fairTurns } from "./fair-turns.ts";
import { type ReplyText, replyText } from "./reply-text.ts";
import { readShared } from "./shared-memory.ts";
import { readSimpleRequest, type SimpleRequest } from "./simple-request.ts";
import { together } from "./together.ts";

export type LaneOptions = {
  readonly serve: Serve;
  /** Refuses a request that would only wait. */
  readonly shed: Serve;
  /** While an account's oldest request has waited this long to be read, more of that account are refused unread. */
  readonly lateMilliseconds: number;
  /** Whose request these bytes are: when more come than can be served, the owners take turns. */
  readonly ownerOf: (bytes: Buffer) => string;
  readonly headersTimeoutMilliseconds: number;
  readonly keepAliveMilliseconds: number;
  /** Nothing has come on this connection for as long as a request's head may take. */
  readonly onSilent: (socket: Socket) => void;
  /** Makes a connection into one that node:http is given, with what was read from it already. */
  readonly toNodeHttp: (socket: Socket, first: Buffer) => Duplex;
};

export type Lane = {
  /** From now on every reply is the last of its connection. */
  readonly wind: () => void;
  /** Ends connections without a request. */
  readonly endIdle: () => void;
  readonly cut: () => void;
};

/** A connection here has one request under way at most. */
type Seat = {
  readonly socket: Socket;
  busy: boolean;
  spoke: boolean;
  since: number;
  held: Buffer | null;
  /** Whose request waits in the backlog. */
  owner: string;
  readonly leave: () => void;
};
/** What has come on a connection, and nobody has looked at; null for its end, which goes the same way, behind what came before it. */
type Come = { readonly seat: Seat; readonly chunk: Buffer | null; readonly at: number };
type Going = { readonly seat: Seat; readonly text: ReplyText | null; readonly isLast: boolean; readonly onSent?: Reply["onSent"] };

const SWEEP_MILLISECONDS = 1_000;
// What one turn of the event loop looks at: some milliseconds of work, so that the database's answers are read in between.
const MOST_A_TURN = 256;
// Node accepts one connection a turn: while more may be waiting, turns are short, or a health check waits for seconds.
const MOST_WHILE_ACCEPTING = 4;
const TURN_MILLISECONDS = 20;
const ACCEPTING_MILLISECONDS = 1;
const READ_MILLISECONDS = 0.02;
const CLIENT_API = "/api/corp/";
// As node:http has it: a client that believes what it was told must not find the connection closed.
const GRACE_MILLISECONDS = 1_000;

/**
 * Answers ordinary requests of the client API on the bare socket, which costs half of what node:http does. A connection
 * that sends anything else, however little, is node:http's from that byte on. To be opened after all other listeners.
 */
export function openLane(server: Server, options: LaneOptions): Lane {
  const others = server.listeners("connection");
  const seats = new Map<Socket, Seat>();
  const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${options.keepAliveMilliseconds / 1000}\r\n`;
  let winding = false;

  const lookAt: LookAt = (all, serve = options.serve) => {
    for (const come of all) {
      if (come.chunk === null) write({ seat: come.seat, text: null, isLast: true });
      else begin(come, come.chunk, serve);
    }
  };
  const turns = shareOfTurns();
  const look = queueRequests(lookAt, turns, options);
  // Health, metrics and pages do not wait behind a flood of client requests.
  const lookFirst = together<Come>((all) => lookAt(all));

  /** The chunk is gone when this returns: what is kept of it is copied. */
  function receive(seat: Seat, chunk: Buffer): void {
    if (seat.busy) {
      seat.held = Buffer.concat(seat.held === null ? [chunk] : [seat.held, chunk]);
      seat.socket.pause();
      return;
    }
    seat.busy = true;
    const come = { seat, chunk: Buffer.from(chunk), at: performance.now() };
    if (isClientApi(come.chunk)) look(come);
    else lookFirst(come);
  }

  function begin({ seat, at }: Come, chunk: Buffer, serve: Serve): void {
    // Replies that pile up are for node:http too, which knows when to stop reading.
    const request = seat.socket.writableLength > 0 ? null : readSimpleRequest(chunk);
    if (request === null) {
      handOver(seat, seat.held === null ? chunk : Buffer.concat([chunk, seat.held]));
      return;
    }
    seat.spoke = true;
    serve(incoming(request, seat.socket, at), (reply, requestId) => {
      // A client that has sent more already is answered that too.
      const isLast = winding && seat.held === null;
      write({ seat, text: replyText(reply, requestId, isLast ? "Connection: close\r\n" : keepAlive), isLast, onSent: reply.onSent });
    });
  }

  const write = together<Going>((all) => {
    for (const going of all) {
      if (going.text === null) going.seat.socket.end();
      else send(going, going.text);
    }
  });

  function send({ seat, isLast, onSent }: Going, { text, encoding }: ReplyText): void {
    const { socket } = seat;
    if (!socket.writable) {
      onSent?.(false);
      return;
    }
    socket.write(text, encoding, onSent && ((error) => onSent(!error)));
    seat.busy = false;
    seat.since = performance.now();
    if (isLast) socket.destroySoon();
    else if (seat.held !== null) handOver(seat, seat.held);
  }

  function handOver({ socket, leave }: Seat, chunk: Buffer): void {
    leave();
    if (socket.destroyed) return;
    const connection = options.toNodeHttp(socket, chunk);
    for (const listener of others) listener.call(server, connection);
  }

  server.removeAllListeners("connection").on("connection", (accepted: Socket) => {
    turns.noteAccepted();
    takeSeat(seats, accepted, { receive, end: (seat) => look({ seat, chunk: null, at: performance.now() }) });
  });
  const sweeper = setInterval(() => sweep(seats, options), SWEEP_MILLISECONDS).unref();
  server.once("close", () => clearInterval(sweeper));
  return {
    wind: () => {
      winding = true;
    },
    endIdle: () => {
      for (const [socket, seat] of seats) if (!seat.busy) socket.destroy();
    },
    cut: () => {
      for (const socket of seats.keys()) socket.destroy();
    },
  };
}

type QueueOptions = Pick<LaneOptions, "shed" | "ownerOf" | "lateMilliseconds">;
type LookAt = (all: readonly Come[], serve?: Serve) => void;

export function queueRequests(lookAt: LookAt, { mostNow, budgetMilliseconds }: Share, options: QueueOptions): (come: Come) => void {
  return fairTurns({
    run: (all) => lookAt(all),
    shed: (all) => lookAt(all, options.shed),
    // The end of a connection waits behind its last request, but is nothing that a client waits for.
    isLate: ({ chunk, at }) => chunk !== null && performance.now() - at > options.lateMilliseconds,
    mostNow,
    budgetMilliseconds,
    ownerOf: (come) => ownerOf(come, options),
  });
}

function ownerOf({ seat, chunk }: Come, options: QueueOptions): string {
  // The end of a connection stays behind its last request.
  if (chunk !== null) seat.owner = options.ownerOf(chunk);
  return seat.owner;
}

/** How much each turn of the event loop looks at. */
type Share = {
  readonly noteAccepted: () => void;
  readonly mostNow: () => number;
  readonly budgetMilliseconds: (arrived: number) => number;
};

function shareOfTurns(): Share {
  let hasAccepted = false;
  let isAccepting = false;
  return {
    noteAccepted: () => {
      hasAccepted = true;
    },
    mostNow: () => {
      isAccepting = hasAccepted;
      hasAccepted = false;
      return isAccepting ? MOST_WHILE_ACCEPTING : MOST_A_TURN;
    },
    // Reading what has arrived took its time too: work gets as much again.
    budgetMilliseconds: (arrived) => (isAccepting ? Math.max(ACCEPTING_MILLISECONDS, arrived * READ_MILLISECONDS) : TURN_MILLISECONDS),
  };
}

function isClientApi(chunk: Buffer): boolean {
  const path = chunk.indexOf("/", 0, "latin1");
  return path >= 0 && path < 8 && chunk.toString("latin1", path, path + CLIENT_API.length) === CLIENT_API;
}

type Takers = { readonly receive: (seat: Seat, chunk: Buffer) => void; readonly end: (seat: Seat) => void };

function takeSeat(seats: Map<Socket, Seat>, accepted: Socket, { receive, end }: Takers): void {
  const { socket, release } = readShared(accepted, (chunk) => receive(seat, chunk));
  const onEnd = () => end(seat);
  const onClose = () => void seats.delete(socket);
  const leave = () => {
    seats.delete(socket);
    release();
    socket.off("end", onEnd).off("close", onClose).off("error", ignore);
  };
  const seat: Seat = { socket, busy: false, spoke: false, since: performance.now(), held: null, owner: "", leave };
  seats.set(socket, seat);
  socket.on("end", onEnd).on("close", onClose).on("error", ignore);
}

/** Ends what has been without a request for too long. */
function sweep(seats: ReadonlyMap<Socket, Seat>, options: LaneOptions): void {
  const now = performance.now();
  for (const [socket, seat] of seats) {
    const quietMilliseconds = seat.busy ? 0 : now - seat.since;
    if (seat.spoke && quietMilliseconds >= options.keepAliveMilliseconds + GRACE_MILLISECONDS) socket.destroy();
    if (seat.spoke || quietMilliseconds < options.headersTimeoutMilliseconds) continue;
    seat.leave();
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
