import { EventEmitter, once } from "node:events";
import { connect, type Socket } from "node:net";
import { type FastifyReply, fastify } from "fastify";
import { afterEach, expect, test } from "vitest";
import { randomIds } from "../../platform/core/ids.ts";
import { sendWhileIn } from "../sites/while-in.ts";
import { type ClientApi, writeReply } from "./client-api.ts";
import { type HttpOptions, listen } from "./server.ts";

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
    ),
  );
  await app.ready();
  cleanups.push(() => app.close());
  const socket = await connectTo({ others: app.routing.bind(app) });
  socket.write("GET /file HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  return socket;
}

/** A connection to the service's own port, where a reply counts as unread after a short time. */
async function connectTo(handlers: Partial<Pick<HttpOptions, "clientApi" | "others">>): Promise<Socket> {
  const clientApi = (() => {}) as unknown as ClientApi;
  const server = await listen({
    clientApi,
    others: () => {},
    ...handlers,
    host: "127.0.0.1",
    port: 0,
    ids: randomIds(),
    unreadMilliseconds: 50,
  });
  const socket = connect({ port: server.port, host: "127.0.0.1" });
  cleanups.push(async () => {
    socket.destroy();
    await server.close(0);
  });
  await once(socket, "connect");
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

test("a client of the client API that reads no reply loses its connection", async () => {
  const events = new EventEmitter();
  const ended = once(events, "ended");
  const clientApi = ((request, response) => {
    response.once("close", () => {
      if (!response.writableFinished) events.emit("ended");
    });
    setImmediate(() => writeReply(request, response, { status: 200, body: { padding: PART.toString() } }, "R1"));
  }) as ClientApi;
  const socket = await connectTo({ clientApi });
  // An ordinary request with a header that only node:http handles, so that the fast path does not answer it.
  for (let at = 0; at < 10; at++) socket.write("GET /api/corp/v1/statement HTTP/1.1\r\nHost: a\r\nTE: trailers\r\n\r\n");
  await ended;
  socket.on("error", () => {}).resume();
  await once(socket, "close");
});
