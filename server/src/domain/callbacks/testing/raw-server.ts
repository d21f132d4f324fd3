import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

export type RawServer = { readonly url: string; readonly closed: () => Promise<void>; readonly close: () => Promise<void> };

/** Answers with raw bytes once a request's head has arrived. `closed` resolves when the first connection ends. */
export async function startRawServer(answer: (socket: Socket) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let over: () => void = () => {};
  const firstClosed = new Promise<void>((resolve) => {
    over = resolve;
  });
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      over();
    });
    socket.once("data", () => answer(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/cb`,
    closed: () => firstClosed,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
