import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type Heard = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
};

export type Listener = {
  readonly url: string;
  readonly heard: readonly Heard[];
  /** Sets the response from now on. */
  readonly answer: (status: number, text?: string) => void;
  readonly close: () => Promise<void>;
};

/** A callback receiver that records requests and sends the configured response. */
export async function startListener(): Promise<Listener> {
  const heard: Heard[] = [];
  let [status, text] = [200, ""];
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      heard.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      reply.writeHead(status, { "content-type": "text/html" }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    answer: (nextStatus, nextText = "") => {
      [status, text] = [nextStatus, nextText];
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
