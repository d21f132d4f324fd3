import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { firstLine } from "./first-line.ts";

const started = (script: string) => spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "pipe"] });

test("the first line that a process writes is returned", async () => {
  expect(await firstLine(started('console.log("ready\\nmore")'))).toBe("ready");
});

test("a process that exits before it is ready fails at once with its status and output", async () => {
  await expect(firstLine(started('console.error("no such module"); process.exit(3)'))).rejects.toThrow(/with 3 .*\nno such module/);
  await expect(firstLine(started('process.kill(process.pid, "SIGKILL")'))).rejects.toThrow("with SIGKILL");
});
