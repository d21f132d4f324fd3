import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { GUARDIAN } from "./run-server.ts";
import { endProcess } from "./testing/helpers.ts";

// Replaces PostgreSQL: ignores SIGINT until it has reported that it is up.
const SERVER = 'let signals = 0; process.on("SIGINT", () => process.exit(7)); setInterval(() => {}, 1000); console.error("up");';

function guard(...command: string[]): ChildProcessByStdio<Writable, null, Readable> {
  const guardian = spawn("/bin/sh", ["-c", GUARDIAN, "guardian", ...command], { stdio: ["pipe", "ignore", "pipe"], detached: true });
  onTestFinished(() => endProcess(guardian));
  return guardian;
}

test("when the pipe closes, the server gets a stop signal and its exit status is passed on", async () => {
  const guardian = guard(process.execPath, "-e", SERVER);
  await once(guardian.stderr, "data");
  guardian.stdin.end("ready\n");
  expect(await once(guardian, "exit")).toEqual([7, null]);
});

test("a pipe that closes before the server is ready still stops it, although it misses the first signal", async () => {
  // The script ignores the first signal itself, because a signal during Node's start would end the process.
  const guardian = guard(process.execPath, "-e", SERVER.replace("process.exit(7)", "++signals === 2 && process.exit(7)"));
  await once(guardian.stderr, "data");
  guardian.stdin.end();
  expect(await once(guardian, "exit")).toEqual([7, null]);
});

test("when the server exits, the guardian exits too", async () => {
  expect(await once(guard("/bin/sh", "-c", "exit 5"), "exit")).toEqual([5, null]);
});
