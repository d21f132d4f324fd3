import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

/** Returns the first line that a process writes. Throws with its exit status and output if it exits before that. */
export async function firstLine(child: ChildProcessByStdio<Writable | null, Readable, Readable>): Promise<string> {
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint += text;
  });
  const ended = once(child, "close").then(([code, signal]) => {
    throw new Error(`The process ended with ${signal ?? code} before it was ready:\n${complaint}`);
  });
  // The process may also exit later, when nobody awaits this promise.
  ended.catch(() => {});
  const [line] = (await Promise.race([once(createInterface(child.stdout), "line"), ended])) as [string];
  return line;
}
