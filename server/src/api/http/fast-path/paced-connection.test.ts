import type { Socket } from "node:net";
import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { PacedConnection } from "./paced-connection.ts";

async function someTurns(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await turn();
}

test("while a request is unanswered, nothing that follows it is parsed and the socket is not read", async () => {
  const socket = new PassThrough();
  let isBusy = false;
  const connection = new PacedConnection(socket as unknown as Socket, Buffer.alloc(0), () => isBusy);
  const parsed: string[] = [];
  connection.on("data", (piece: Buffer) => {
    parsed.push(piece.toString());
    isBusy = true;
  });
  socket.write("first");
  await someTurns();
  socket.write("second");
  await someTurns();
  expect({ parsed, isPaused: socket.isPaused(), hasMore: connection.hasMore }).toEqual({
    parsed: ["first"],
    isPaused: true,
    hasMore: true,
  });
  isBusy = false;
  connection.continueReading();
  await someTurns();
  expect(parsed).toEqual(["first", "second"]);
  connection.destroy();
});

test("of thousands of requests that came at once, few are parsed at a time", async () => {
  const request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  const connection = new PacedConnection(new PassThrough() as unknown as Socket, Buffer.from(request.repeat(5_000)), () => true);
  const first = new PacedConnection(new PassThrough() as unknown as Socket, Buffer.from(request.repeat(5_000)), () => false);
  const sizes: number[] = [];
  first.on("data", (piece: Buffer) => sizes.push(piece.length));
  connection.on("data", () => expect.fail("A busy connection is given nothing."));
  await someTurns();
  expect(sizes.length).toBeGreaterThan(1);
  expect(Math.max(...sizes)).toBeLessThan(2_048);
  connection.destroy();
  first.destroy();
});
