import { EventEmitter, once } from "node:events";
import { connect, type Socket } from "node:net";
import { type FastifyReply, fastify } from "fastify";
import { afterEach, expect, test } from "vitest";
import { randomIds } from "../../platform/core/ids.ts";
import { sendWhileIn } from "../sites/while-in.ts";
import type { ClientApi } from "./client-api.ts";
import { listen } from "./server.ts";

const PART = Buffer.alloc(1024 * 1024, "a");

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean();
});

/** The service's own port, with one path that sends this content. */
async function serve(content: (reply: FastifyReply) => AsyncIterable<Buffer>): Promise<Socket> {
  const app = fastify();
  app.get("/file", (_request, reply) =>
    sendWhileIn(
      reply,
      async () => true,
      () => content(reply),
      { stallMilliseconds: 50 },
    ),
  );
  await app.ready();
  const clientApi = (() => {}) as unknown as ClientApi;
  const others = app.routing.bind(app);
  const server = await listen({ host: "127.0.0.1", port: 0, clientApi, others, ids: randomIds() });
  const socket = connect({ port: server.port, host: "127.0.0.1" });
  cleanups.push(async () => {
    socket.destroy();
    await server.close(0);
    await app.close();
  });
  await once(socket, "connect");
  socket.write("GET /file HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  return socket;
}

test("a download that its client does not read is ended", async () => {
  const events = new EventEmitter();
  const ended = once(events, "ended");
  async function* endless() {
    try {
      for (;;) yield PART;
    } finally {
      events.emit("ended");
    }
  }
  // A socket without a listener for its data is not read.
  const socket = await serve(endless);
  await ended;
  socket.on("error", () => {}).resume();
  await once(socket, "close");
});

test("a download whose client waits for the service goes on", async () => {
  async function* slow(reply: FastifyReply) {
    yield PART;
    await once(reply.raw, "timeout");
    yield PART;
  }
  const socket = await serve(slow);
  let bytes = 0;
  for await (const chunk of socket) bytes += (chunk as Buffer).length;
  expect(bytes).toBeGreaterThan(2 * PART.length);
});
