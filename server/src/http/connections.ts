import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

/** What is under way on each connection. */
export type Connections = {
  /** To be told of every request before it is answered. */
  readonly opened: (request: IncomingMessage, response: ServerResponse) => void;
  /** Resolves when every request that arrived whole on this connection has been answered. */
  readonly answered: (socket: Socket) => Promise<void>;
  /** From now on every reply is the last of its connection, and connections that never said anything end. */
  readonly wind: () => void;
};

export function followConnections(server: Server): Connections {
  const sockets = new Map<Socket, Set<Exchange>>();
  let winding = false;

  server.on("connection", (socket: Socket) => {
    sockets.set(socket, new Set());
    socket.once("close", () => sockets.delete(socket));
  });

  function opened(request: IncomingMessage, response: ServerResponse): void {
    const exchange = { request, response };
    const exchanges = sockets.get(request.socket);
    exchanges?.add(exchange);
    response.once("close", () => exchanges?.delete(exchange));
    if (winding) response.shouldKeepAlive = false;
  }

  async function answered(socket: Socket): Promise<void> {
    const whole = [...(sockets.get(socket) ?? [])].filter((exchange) => exchange.request.complete);
    await Promise.all(whole.map(({ response }) => new Promise((resolve) => response.once("close", resolve))));
  }

  function wind(): void {
    winding = true;
    for (const [socket, exchanges] of sockets) {
      // Node counts a connection without a first byte as busy.
      if (socket.bytesRead === 0) socket.destroy();
      for (const { response } of exchanges) response.shouldKeepAlive = false;
    }
  }

  return { opened, answered, wind };
}
