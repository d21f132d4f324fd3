import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";

export type Received = {
  readonly method: string;
  /** Path and query exactly as on the request line. */
  readonly target: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
  readonly at: number;
};

/** Returns a status to answer with, or handles the connection itself. `count` begins with 1. */
export type Answer = (received: Received, count: number, response: ServerResponse) => number | undefined | Promise<number | undefined>;

export type TestReceiver = {
  readonly url: string;
  readonly port: number;
  readonly got: Received[];
  /** Resolves once this many requests match. */
  readonly wait: (fits: (received: Received) => boolean, count?: number) => Promise<readonly Received[]>;
  readonly connections: () => number;
  readonly close: () => Promise<void>;
};

export type Secure = { readonly key: string; readonly cert: string };

/** A client's callback endpoint on a real socket. */
export async function startReceiver(answer: Answer = () => 200, options: { secure?: Secure; host?: string } = {}): Promise<TestReceiver> {
  const got: Received[] = [];
  const waiting = new Set<() => void>();
  const sockets = new Set<Socket>();
  let connections = 0;
  const listener: RequestListener = async (request, response) => {
    const received = await read(request);
    got.push(received);
    for (const look of waiting) look();
    const status = await answer(received, got.length, response);
    if (status !== undefined) response.writeHead(status).end();
  };
  const server = options.secure ? createSecureServer(options.secure, listener) : createServer(listener);
  server.on(options.secure ? "secureConnection" : "connection", () => connections++);
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
  });
  server.on("tlsClientError", () => {});
  server.listen(0, options.host ?? "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `${options.secure ? "https" : "http"}://127.0.0.1:${port}/cb`,
    port,
    got,
    connections: () => connections,
    wait: (fits, count = 1) =>
      new Promise((resolve) => {
        const look = () => {
          const found = got.filter(fits);
          if (found.length < count) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const target = request.url ?? "";
  const url = new URL(target, "http://receiver");
  const query = Object.fromEntries(url.searchParams);
  return {
    method: request.method ?? "",
    target,
    path: url.pathname,
    query,
    headers: request.headers,
    body: Buffer.concat(chunks),
    at: Date.now(),
  };
}

/** The fields of a callback of either version, unverified. */
export function fieldsOf(received: Received): Readonly<Record<string, string>> {
  return received.method === "POST" ? JSON.parse(received.body.toString()) : received.query;
}

export function ofOrder(orderId: string, status?: string): (received: Received) => boolean {
  return (received) => {
    const fields = fieldsOf(received);
    return fields["orderid"] === orderId && (status === undefined || fields["status"] === status);
  };
}
