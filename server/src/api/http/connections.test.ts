import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { randomIds } from "../../platform/core/ids.ts";
import { type ClientApi, type Handler, writeReply } from "./client-api.ts";
import { listen } from "./server.ts";

/** The fast path does not read these requests. */
const missing = () => {
  throw new Error("The request was read by the fast path.");
};

/** Sends this text, closes its half of the connection, and returns what comes back and which replies were reported as sent. */
async function sendAndEndHalf(requests: string) {
  const sent: (readonly [url: string | undefined, wasSent: boolean])[] = [];
  const handle: Handler = async (request, response) => {
    // The reply takes long enough for the service to see that the client has ended.
    for (let turns = 0; turns < 50; turns++) await turn();
    const onSent = (wasSent: boolean) => void sent.push([request.url, wasSent]);
    writeReply(request, response, { status: 200, body: { url: request.url ?? "" }, onSent }, "R1");
  };
  const clientApi: ClientApi = Object.assign(handle, { serve: missing, shed: missing, ownerOf: () => "" });
  const server = await listen({ host: "127.0.0.1", port: 0, clientApi, others: () => {}, ids: randomIds() });
  onTestFinished(() => server.close(0));
  const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
  await once(socket, "connect");
  socket.end(requests);
  return { received: await text(socket), sent };
}

const get = (name: string) => `GET /api/corp/${name} HTTP/1.1\r\nHost: a\r\nTE: trailers\r\n\r\n`;
const answered = (received: string) => [...received.matchAll(/"url":"\/api\/corp\/(\w+)"/g)].map(([, name]) => name);

test("a client that has closed its half of the connection gets every reply that it waits for", async () => {
  const names = Array.from({ length: 40 }, (_, place) => `request${place}`);
  const { received } = await sendAndEndHalf(names.map(get).join(""));
  expect(answered(received)).toEqual(names);
});

test("a reply to a client that has closed its half is not reported as sent, because the client may be gone", async () => {
  const { received, sent } = await sendAndEndHalf(get("one"));
  expect(answered(received)).toEqual(["one"]);
  expect(sent).toEqual([["/api/corp/one", false]]);
});
