import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

const closers: (() => Promise<unknown>)[] = [];

/** Closes something after the test. */
export function closeLater(close: () => Promise<unknown>): void {
  closers.push(close);
}

export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

/** Listens on this machine until the test ends; returns the port. */
export async function listen(server: Server, host = "127.0.0.1"): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket.on("error", () => {})));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  closeLater(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** A server on bare connections, which sees every byte. */
export async function plainServer(onConnection: (socket: Socket) => void): Promise<number> {
  return await listen(createServer(onConnection));
}
