import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { until } from "../deadline.ts";
import type { Command } from "../languages.ts";

export type Keys = { readonly token?: string | undefined; readonly secret?: string | undefined };
export type Running = { readonly port: number; readonly stop: () => Promise<void> };

/** Starts an example receiver as its README says, with a state folder of its own, and waits until it listens. */
export async function startReceiver(name: string, command: Command, folder: string, keys: Keys, clockSeconds?: number): Promise<Running> {
  const env = {
    PATH: process.env["PATH"] ?? "",
    CORPRAIL_TOKEN: keys.token ?? "",
    CORPRAIL_CALLBACK_SECRET: keys.secret ?? "",
    STATE_DIR: await mkdtemp(join(folder, "state-")),
    ...(clockSeconds === undefined ? {} : { CLOCK_SECONDS: String(clockSeconds) }),
  };
  return name === "bash" ? startByConnection(command, env) : startProgram(name, command, env);
}

async function startProgram(name: string, [program, ...given]: Command, env: Record<string, string>): Promise<Running> {
  const port = await freePort();
  const args = name === "php" ? ["-S", `127.0.0.1:${port}`, ...given] : given;
  const child = spawn(program, args, { env: { ...env, PORT: String(port) }, stdio: ["ignore", "ignore", "inherit"] });
  await until(`the receiver in ${name} listens`, () => {
    if (hasEnded(child)) throw new Error(`The receiver in ${name} ended with ${child.signalCode ?? child.exitCode} before it listened.`);
    return accepts(port);
  });
  return { port, stop: () => ended(child) };
}

// What socat or systemd do: a process for each connection, which is its standard input and output.
async function startByConnection([program, ...given]: Command, env: Record<string, string>): Promise<Running> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const child = spawn(program, given, { env, stdio: ["pipe", "pipe", "ignore"] });
    child.stdin.on("error", () => {});
    socket.on("error", () => child.kill());
    socket.pipe(child.stdin);
    child.stdout.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, stop: () => closed(server) };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await closed(server);
  return port;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

async function closed(server: Server): Promise<void> {
  await new Promise((resolve) => server.close(resolve));
}

/** Whether a process is gone, by itself or by a signal. */
export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function ended(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}
