import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

/** The first line that a process writes; when it ends before, that is an error with its status and its last words. */
export async function firstLine(child: ChildProcessByStdio<Writable | null, Readable, Readable>): Promise<string> {
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint += text;
  });
  const ended = once(child, "close").then(([code, signal]) => {
    throw new Error(`The process ended with ${signal ?? code} before it was ready:\n${complaint}`);
  });
  // It may also end later, when nobody waits any more.
  ended.catch(() => {});
  const [line] = (await Promise.race([once(createInterface(child.stdout), "line"), ended])) as [string];
  return line;
}
