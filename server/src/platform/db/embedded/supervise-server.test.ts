import { expect, test } from "vitest";
import type { Server } from "./run-server.ts";
import { superviseServer } from "./supervise-server.ts";

type Stand = { readonly server: Server; readonly end: (lastWords: string) => void };

function standIn(): Stand {
  let end: (lastWords: string) => void = () => {};
  const ended = new Promise<string>((resolve) => {
    end = resolve;
  });
  return { server: { ready: Promise.resolve(true), ended, stop: async () => {} }, end };
}

test("on a full disk PostgreSQL is restarted until there is space", async () => {
  const [first, second] = [standIn(), standIn()];
  let tries = 0;
  let isFull = true;
  const supervised = superviseServer(first.server, { info: () => {}, warn: () => {} }, async () => {
    tries++;
    // A failure on a full disk does not always name the cause.
    if (isFull) throw new Error(tries % 2 === 1 ? "exit code 1: no output" : 'could not write to file "a": No space left on device');
    return second.server;
  });
  expect(supervised.trouble()).toBeNull();
  first.end("PANIC: could not extend file: No space left on device");
  while (tries < 3) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(supervised.trouble()).toMatch(/^disk full/);
  isFull = false;
  while (supervised.trouble() !== null) await new Promise((resolve) => setTimeout(resolve, 20));
  await supervised.stop();
});

test("PostgreSQL that is killed again while it restarts is restarted once more", async () => {
  const [first, second] = [standIn(), standIn()];
  let tries = 0;
  const supervised = superviseServer(first.server, { info: () => {}, warn: () => {} }, async () => {
    tries++;
    if (tries === 1) throw new Error("PostgreSQL exited (exit code 137): the database system is starting up");
    return second.server;
  });
  first.end("killed");
  await expect.poll(() => [tries, supervised.trouble()]).toEqual([2, null]);
  await supervised.stop();
});

test("after five failed restarts PostgreSQL is given up with its last output", async () => {
  const first = standIn();
  let tries = 0;
  const supervised = superviseServer(first.server, { info: () => {}, warn: () => {} }, async () => {
    tries++;
    throw new Error("no such program");
  });
  first.end("killed");
  expect([await supervised.gaveUp, tries]).toEqual(["no such program", 5]);
});
