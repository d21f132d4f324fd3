import { connect, createServer, type Socket } from "node:net";

/** A TCP proxy that simulates network failures: it resets connections, or accepts them and forwards nothing. */
export type TcpProxy = {
  readonly port: number;
  /** Forwards new connections. Connections that were interrupted stay interrupted. */
  readonly open: () => void;
  /** Stops forwarding on existing and new connections without closing any. */
  readonly hang: () => void;
  /** Resets existing connections and refuses new ones. */
  readonly refuse: () => void;
  readonly close: () => Promise<void>;
};

type State = "open" | "hanging" | "refusing";

export async function startTcpProxy(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let state: State = "open";
  const server = createServer((client) => {
    keep(sockets, client);
    if (state === "refusing") client.resetAndDestroy();
    else if (state === "open") forward(client, keep(sockets, connect(target.port, target.host)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    open: () => {
      state = "open";
    },
    hang: () => {
      state = "hanging";
      for (const socket of sockets) socket.removeAllListeners("data").removeAllListeners("close").pause();
    },
    refuse: () => {
      state = "refusing";
      for (const socket of sockets) socket.resetAndDestroy();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function keep(sockets: Set<Socket>, socket: Socket): Socket {
  sockets.add(socket);
  return socket.on("error", () => {});
}

function forward(client: Socket, server: Socket): void {
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    from.on("data", (bytes) => to.write(bytes));
    from.on("close", () => to.destroy());
  }
}
