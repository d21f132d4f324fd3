import { connect, type Socket } from "node:net";
import { setTimeout as delay, setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { randomIds } from "../../platform/core/ids.ts";
import type { Incoming } from "../client/incoming.ts";
import type { Reply } from "../client/replies.ts";
import type { ClientApi } from "./client-api.ts";
import { type HttpServer, listen } from "./server.ts";

const open: Socket[] = [];
let server: HttpServer;
let onRequest: (send: () => void) => void;
let onHealth: () => void;

/** Every request is an account's own. */
function clientApi(): ClientApi {
  const serve = (_request: Incoming, send: (reply: Reply, requestId: string) => void) =>
    onRequest(() => send({ status: 200, body: {} }, "R1"));
  return Object.assign(() => {}, { serve, shed: serve, ownerOf: (bytes: Buffer) => bytes.toString("latin1") });
}

beforeEach(async () => {
  server = await listen({ host: "127.0.0.1", port: 0, clientApi: clientApi(), others: () => onHealth(), ids: randomIds() });
});
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await server.close(0);
});

async function client(): Promise<Socket> {
  const socket = connect({ port: server.port, host: "127.0.0.1", noDelay: true }).resume();
  open.push(socket);
  await new Promise((resolve) => socket.once("connect", resolve));
  return socket;
}

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`;

function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test("a health check does not wait behind client requests, however many accounts they are of", async () => {
  let served = 0;
  onRequest = (send) => {
    served++;
    work(2);
    send();
  };
  const flood = await Promise.all(Array.from({ length: 300 }, client));
  const monitor = await client();
  // So that every connection is known to the server before the first request comes.
  monitor.write(get("/api/corp/first"));
  await new Promise((resolve) => monitor.once("data", resolve));
  const before = new Promise<number>((resolve) => {
    onHealth = () => resolve(served);
  });
  for (const [number, one] of flood.entries()) one.write(get(`/api/corp/${number}`));
  monitor.write(get("/healthz"));
  expect(await before).toBeLessThan(200);
  while (served < 301) await turn();
});

test("a connection that sends without end before it is answered is not read", async () => {
  let asked = 0;
  onRequest = () => asked++;
  const endless = await client();
  endless.write(get("/api/corp/first"));
  while (asked === 0) await turn();
  // More than the kernel holds for a connection.
  const [pieces, piece] = [96, "x".repeat(256 * 1024)];
  let taken = 0;
  for (let sent = 0; sent < pieces; sent++) endless.write(piece, () => taken++);
  // Until no more is taken, look after look.
  for (let [before, same] = [0, 0]; same < 10 && taken < pieces; before = taken) {
    await delay(100);
    same = taken === before && taken > 0 ? same + 1 : 0;
  }
  expect(taken).toBeLessThan(pieces);
  expect(asked).toBe(1);
});
