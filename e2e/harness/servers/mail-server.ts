import { type AddressInfo, createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";

export type MailServer = {
  readonly url: string;
  /** The mails it took, each as text with its soft line breaks undone. */
  readonly received: readonly string[];
  readonly close: () => Promise<void>;
};

/** A minimal mail server that accepts and stores every mail. */
export async function startMailServer(): Promise<MailServer> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    serve(socket, received);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function serve(socket: Socket, received: string[]): void {
  let body: string[] | null = null;
  const command = (line: string) => {
    if (line === "QUIT") return void socket.end("221 bye\r\n");
    if (line === "DATA") body = [];
    socket.write(line === "DATA" ? "354 go on\r\n" : "250 mail.example\r\n");
  };
  socket.on("error", () => {});
  socket.write("220 mail.example ESMTP\r\n");
  createInterface({ input: socket }).on("line", (line) => {
    if (body === null) return command(line);
    if (line !== ".") return void body.push(line);
    received.push(readable(body.join("\n")));
    body = null;
    socket.write("250 taken\r\n");
  });
}

function readable(mail: string): string {
  if (!/^content-transfer-encoding: quoted-printable$/im.test(mail)) return mail;
  return mail.replace(/=\n/g, "").replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
