import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { noteReply } from "../openapi-check.ts";

export type CheckingProxy = {
  readonly port: number;
  readonly url: string;
  /** Leads to another process from now on, for example after a restart. */
  readonly leadTo: (port: number) => void;
  /** Cuts off requests whose method and path match, such as `GET /api…`, until it is called with null. */
  readonly cutOff: (pattern: RegExp | null) => void;
  readonly close: () => Promise<void>;
};

/** A proxy in front of a service for clients in separate processes. It checks the replies against contract/openapi.json. */
export async function startCheckingProxy(port: number): Promise<CheckingProxy> {
  let target = port;
  let refused: RegExp | null = null;
  const server = createServer((incoming, outgoing) => {
    if (refused?.test(`${incoming.method} ${incoming.url}`)) return void outgoing.destroy();
    void pass(target, incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const own = (server.address() as AddressInfo).port;
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  const leadTo = (next: number) => {
    target = next;
  };
  const cutOff = (pattern: RegExp | null) => {
    refused = pattern;
  };
  return { port: own, url: `http://127.0.0.1:${own}`, leadTo, cutOff, close };
}

async function pass(port: number, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const [method, path] = [incoming.method ?? "GET", incoming.url ?? "/"];
  const sent = await buffer(incoming);
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ host: "127.0.0.1", port, method, path, headers: incoming.rawHeaders, agent: false }, resolve).once("error", reject).end(sent);
  });
  const answered = await buffer(reply);
  noteReply(method, path, reply.statusCode ?? 0, answered.toString());
  outgoing.writeHead(reply.statusCode ?? 502, reply.rawHeaders).end(answered);
}
