import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Starts to listen, on any free port for 0. Resolves to the origin, such as http://127.0.0.1:8790. */
export function listenOn(server: Server, { port, host }: { readonly port: number; readonly host: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      const { address, family, port: open } = server.address() as AddressInfo;
      resolve(`http://${family === "IPv6" ? `[${address}]` : address}:${open}`);
    });
  });
}
