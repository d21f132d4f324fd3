import { spawn } from "node:child_process";
import type { ServerUser } from "./server-user.ts";

export type Finished = { readonly code: number; readonly output: string };

type Surroundings = {
  readonly cwd: string;
  readonly detached: true;
  readonly env: Readonly<Record<string, string>>;
  readonly uid?: number;
  readonly gid?: number;
};

/** Own session, so that Ctrl-C at our terminal is not PostgreSQL's; and none of our secrets in its environment. */
export function surroundings(user: ServerUser, cwd: string): Surroundings {
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C" };
  return { cwd, detached: true, env, ...(user === null ? {} : { uid: user.uid, gid: user.gid }) };
}

/**
 * How PostgreSQL names its own working folder. Another user may not be allowed to walk there (a 0700 home above it),
 * but libuv enters the folder while still root, and /proc/self/cwd needs no walk.
 */
export function folderArgument(user: ServerUser, folder: string): string {
  return user !== null && process.platform === "linux" ? "/proc/self/cwd" : folder;
}

/** Runs a program to its end with `input` on a real pipe (Node's own is a socket, which /dev/stdin cannot reopen). */
export function runProgram(command: readonly string[], options: { user: ServerUser; cwd: string; input?: string }): Promise<Finished> {
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", 'cat | "$@"', "sh", ...command], surroundings(options.user, options.cwd));
    let output = "";
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-8_000);
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.stdin.on("error", () => {});
    child.once("error", (error) => resolve({ code: -1, output: error.message }));
    child.once("close", (code) => resolve({ code: code ?? -1, output: output.trim() }));
    child.stdin.end(options.input ?? "");
  });
}
