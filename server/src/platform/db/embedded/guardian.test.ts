import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { GUARDIAN } from "./guardian.ts";
import { endProcess } from "./testing/helpers.ts";

// Stands in for PostgreSQL: deaf to SIGINT until it has said that it is up.
const SERVER = 'let signals = 0; process.on("SIGINT", () => process.exit(7)); setInterval(() => {}, 1000); console.error("up");';

function guard(...command: string[]): ChildProcessByStdio<Writable, null, Readable> {
  const guardian = spawn("/bin/sh", ["-c", GUARDIAN, "guardian", ...command], { stdio: ["pipe", "ignore", "pipe"], detached: true });
  onTestFinished(() => endProcess(guardian));
  return guardian;
}

test("when the pipe closes the server is asked to stop, and its status is passed on", async () => {
  const guardian = guard(process.execPath, "-e", SERVER);
  await once(guardian.stderr, "data");
  guardian.stdin.end("ready\n");
  expect(await once(guardian, "exit")).toEqual([7, null]);
});

test("a pipe that closes before the server is ready still stops it, though it does not hear the first signal", async () => {
  // Deaf by itself: while Node starts there is a moment when it is neither deaf nor listening, and the signal would end it.
  const guardian = guard(process.execPath, "-e", SERVER.replace("process.exit(7)", "++signals === 2 && process.exit(7)"));
  await once(guardian.stderr, "data");
  guardian.stdin.end();
  expect(await once(guardian, "exit")).toEqual([7, null]);
});

test("when the server ends by itself the guardian ends too", async () => {
  expect(await once(guard("/bin/sh", "-c", "exit 5"), "exit")).toEqual([5, null]);
});
