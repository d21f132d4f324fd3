import { connect, createServer, type Socket } from "node:net";

/** A TCP proxy before a server, whose network can fail: it cuts connections, or takes them and forwards nothing. */
export type TcpProxy = {
  readonly port: number;
  /** Forwards what comes on new connections; what was cut off stays so. */
  readonly open: () => void;
  /** Forwards nothing any more, neither on connections that exist nor on new ones, and closes none. */
  readonly hang: () => void;
  /** Resets what exists and refuses what comes. */
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
