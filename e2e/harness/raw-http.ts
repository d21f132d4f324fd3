import { createConnection, type Socket } from "node:net";
import { WAIT_MILLISECONDS } from "../../server/src/testing/deadline.ts";
import { within } from "./deadline.ts";
import { noteReply } from "./openapi-check.ts";
import { followRequests } from "./sent-requests.ts";

export type RawReply = {
  readonly status: number;
  /** By lower-case name; a repeated header's values are in order. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly text: string;
  /** The body as JSON; throws when it is none. */
  readonly json: () => Readonly<Record<string, unknown>>;
};

export type Connection = {
  readonly send: (bytes: string | Uint8Array) => void;
  /** The next whole reply; null when the other side closed first. */
  readonly next: (options?: { readonly milliseconds?: number; readonly withoutBody?: boolean }) => Promise<RawReply | null>;
  readonly isClosed: () => boolean;
  readonly closed: Promise<void>;
  readonly halfClose: () => void;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly destroy: () => void;
};

export async function connect(port: number, options: { readonly host?: string; readonly from?: string } = {}): Promise<Connection> {
  const from = options.from === undefined ? {} : { localAddress: options.from };
  const socket = createConnection({ port, host: options.host ?? "127.0.0.1", ...from });
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve).once("error", reject);
  });
  return follow(socket);
}

function follow(socket: Socket): Connection {
  let received = Buffer.alloc(0);
  let ended = false;
  let wake = () => {};
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  const closed = new Promise<void>((resolve) => {
    const end = () => {
      ended = true;
      wake();
      resolve();
    };
    socket.on("error", end).on("end", end).on("close", end);
  });
  const take = async (withoutBody: boolean): Promise<RawReply | null> => {
    for (;;) {
      const parsed = parseReply(received, withoutBody);
      if (parsed) {
        received = received.subarray(parsed.length);
        return parsed.reply;
      }
      if (ended) return null;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const requests = followRequests();
  const next: Connection["next"] = async ({ milliseconds = WAIT_MILLISECONDS, withoutBody = false } = {}) => {
    const reply = await within("a reply", take(withoutBody), milliseconds);
    const request = reply && reply.status >= 200 ? requests.next() : null;
    if (reply && request && !withoutBody) noteReply(request.method, request.target, reply.status, reply.text);
    return reply;
  };
  return {
    send: (given) => {
      const bytes = typeof given === "string" ? Buffer.from(given, "latin1") : Buffer.from(given);
      requests.add(bytes);
      if (!socket.destroyed) socket.write(bytes);
    },
    next,
    isClosed: () => ended,
    closed,
    halfClose: () => void socket.end(),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    destroy: () => void socket.destroy(),
  };
}

function parseReply(received: Buffer, withoutBody: boolean): { readonly reply: RawReply; readonly length: number } | null {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd < 0) return null;
  const [statusLine = "", ...lines] = received.subarray(0, headEnd).toString("latin1").split("\r\n");
  const status = Number(/^HTTP\/1\.[01] ([0-9]{3})/.exec(statusLine)?.[1]);
  const headers = new Map<string, readonly string[]>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()]);
  }
  const bodyLength = withoutBody || status < 200 ? 0 : Number(headers.get("content-length")?.[0] ?? 0);
  const length = headEnd + 4 + bodyLength;
  if (received.length < length) return null;
  const text = received.subarray(headEnd + 4, length).toString();
  return { reply: { status, headers, text, json: () => JSON.parse(text) as Record<string, unknown> }, length };
}

/** Sends bytes on a connection of their own and answers the first reply. */
export async function exchange(port: number, bytes: string | Uint8Array, options: { readonly from?: string } = {}): Promise<RawReply> {
  const connection = await connect(port, options);
  try {
    connection.send(bytes);
    const reply = await connection.next();
    if (!reply) throw new Error("The connection was closed without a reply.");
    return reply;
  } finally {
    connection.destroy();
  }
}

/** A request as text, with the headers as given and no other; a list may name a header twice. */
export function requestText(method: string, target: string, headers: readonly (readonly [string, string])[], body = ""): string {
  return `${method} ${target} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`;
}
