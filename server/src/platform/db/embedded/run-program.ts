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

/** A separate session, so that Ctrl-C does not reach PostgreSQL, and an environment without the service's secrets. */
export function surroundings(user: ServerUser, cwd: string): Surroundings {
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C" };
  return { cwd, detached: true, env, ...(user === null ? {} : { uid: user.uid, gid: user.gid }) };
}

/**
 * The data folder as an argument for PostgreSQL. Another user may not be able to traverse the path (a 0700 home above
 * it), but libuv enters the folder while still root, and /proc/self/cwd needs no traversal.
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
