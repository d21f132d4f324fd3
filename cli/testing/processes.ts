import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { inject, onTestFinished } from "vitest";
import { killServersIn } from "../../server/src/platform/db/embedded/stop-servers.ts";

/** The program as it is installed. */
export const BIN = fileURLToPath(new URL("../bin/corprail.mjs", import.meta.url));
// The same program, bundled: it starts in a third of the time.
function bundled(): string {
  const programs = inject("programs");
  if (programs === null) throw new Error("The command line is not built: run npm run build first.");
  return programs.corprail;
}

export const OPERATOR_KEY = `opk_${"k".repeat(40)}`;

export type Variables = Readonly<Record<string, string>>;
export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** A data folder that goes away with the test, together with any PostgreSQL still in it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "corprail-cli-"));
  onTestFinished(async () => {
    await killServersIn(join(folder, "postgres"));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return folder;
}

/** Runs a command to its end. Nothing of the test's own environment reaches it but what a shell needs. */
export async function corprail(given: readonly string[], variables: Variables = {}, bin = bundled()): Promise<Ended> {
  return await toItsEnd(start(given, variables, bin));
}

/** The same, with something on standard input. */
export async function corprailReading(input: string | Buffer, given: readonly string[], variables: Variables = {}): Promise<Ended> {
  return await toItsEnd(start(given, variables, bundled(), input));
}

export type Running = {
  readonly lines: AsyncIterator<string>;
  readonly said: () => string;
  readonly hasEnded: () => boolean;
  readonly interrupt: (signal?: NodeJS.Signals) => Promise<Ended>;
};

/** Starts a command that runs until it is stopped; `lines` is its standard output, `said` what is on standard error so far. */
export function running(given: readonly string[], variables: Variables = {}): Running {
  const child = start(given, variables);
  const end = ended(child);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await end;
  });
  let stderr = "";
  let stdout = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    stderr += part;
  });
  child.stdout.on("data", (part: Buffer) => {
    stdout += part.toString("utf8");
  });
  return {
    lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
    said: () => stderr,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    interrupt: async (signal = "SIGINT") => {
      child.kill(signal);
      return { code: await end, stdout, stderr };
    },
  };
}

async function toItsEnd(child: Child): Promise<Ended> {
  const [stdout, stderr, code] = await Promise.all([textOf(child.stdout), textOf(child.stderr), ended(child)]);
  return { code, stdout, stderr };
}

export type Serving = { readonly base: string; readonly stop: () => Promise<number | null> };

/** Starts the service and answers once it listens. */
export async function serving(variables: Variables): Promise<Serving> {
  const child = start(["serve"], { CORPRAIL_PORT: "0", CORPRAIL_OPERATOR_KEY: OPERATOR_KEY, ...variables });
  const end = ended(child);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await end;
  });
  const words = textOf(child.stderr);
  let base: string | null = null;
  for await (const line of createInterface({ input: child.stdout })) {
    base = /"address":"([^"]+)".*"listening"/.exec(line)?.[1] ?? null;
    if (base !== null) break;
  }
  if (base === null) throw new Error(`The service did not start: ${await words}`);
  // Unread lines would fill the pipe and stop the service.
  child.stdout.resume();
  return {
    base,
    stop: () => {
      child.kill("SIGTERM");
      return end;
    },
  };
}

type Child = ReturnType<typeof start>;

function start(given: readonly string[], variables: Variables, bin = bundled(), input: string | Buffer = "") {
  // Providers of tests are on this machine.
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], CORPRAIL_PROVIDER_ALLOW: "127.0.0.0/8", ...variables };
  const child = spawn(process.execPath, [bin, ...given], { env, cwd: tmpdir(), stdio: ["pipe", "pipe", "pipe"] });
  // One that reads nothing may be gone before it is written.
  child.stdin.on("error", () => {}).end(input);
  return child;
}

function ended(child: Child): Promise<number | null> {
  return new Promise((resolve) => {
    child.once("exit", (code) => resolve(code));
  });
}

async function textOf(stream: Child["stdout"]): Promise<string> {
  let text = "";
  for await (const part of stream.setEncoding("utf8")) text += part;
  return text;
}
