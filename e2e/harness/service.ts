import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";
import { migratedDatabase } from "../../server/src/testing/database.ts";
import { until, within } from "./deadline.ts";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
// The service as it is built: a build inside every start would only cost time.
// It ends with its worker, however that ends: then its input is closed.
const ENDS_WITH_WORKER = `process.stdin.once("close", () => process.kill(process.pid, "SIGKILL")).resume().unref();`;

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** A process that runs the service, whether or not it ever becomes ready. */
export type Launched = {
  readonly pid: number;
  /** Everything it wrote so far, both streams. */
  readonly output: () => string;
  readonly errors: () => string;
  readonly exited: Promise<Exit>;
  readonly hasExited: () => boolean;
  readonly signal: (signal: NodeJS.Signals) => void;
};

export type Service = Launched & {
  readonly port: number;
  readonly url: string;
  readonly operatorKey: string;
  readonly dataFolder: string;
  /** Asks it to stop and waits until it has. */
  readonly stop: () => Promise<Exit>;
  readonly kill: () => Promise<Exit>;
};

export type Environment = Readonly<Record<string, string>>;

const children = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

type Place = { readonly words?: readonly string[]; readonly cwd?: string };

/** Starts a process with nothing but these variables of ours; `script` with its words instead of the built service when given. */
export function launch(environment: Environment, script?: string, { words = [], cwd = ROOT }: Place = {}): Launched {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:CORPRAIL_|NODE_ENV$|VITEST)/.test(name)));
  const command = script === undefined ? ["--eval", launcher()] : [script, ...words];
  const child = spawn(process.execPath, command, {
    cwd,
    // Without a drain unless a test is about it: nobody waits for a proxy here.
    env: { ...own, CI: "true", CORPRAIL_DRAIN_SECONDS: "0", ...environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  children.add(child);
  const written: string[] = [];
  const errors: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => written.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    written.push(text);
    errors.push(text);
  });
  let ended = false;
  const exited = new Promise<Exit>((resolve) => {
    // Not "exit": what it wrote last is read by then.
    child.once("close", (code, signal) => {
      ended = true;
      children.delete(child);
      resolve({ code, signal });
    });
  });
  return {
    pid: child.pid ?? -1,
    output: () => written.join(""),
    errors: () => errors.join(""),
    exited,
    hasExited: () => ended,
    signal: (signal) => void child.kill(signal),
  };
}

function launcher(): string {
  const programs = inject("programs");
  if (programs === null) throw new Error("The service is not built: run npm run build first.");
  return `${ENDS_WITH_WORKER} require(${JSON.stringify(programs.service)}).main();`;
}

/** The lines of its log that are JSON, parsed. */
export function logLines(output: string): readonly Readonly<Record<string, unknown>>[] {
  return output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Waits until a launched process listens; fails with its output if it exits before. */
export async function listeningPort(launched: Launched): Promise<number> {
  const address = await until("the service listens", () => {
    const line = /^\{.*"message":"listening".*\}$/m.exec(launched.output())?.[0];
    if (line) return String((JSON.parse(line) as { address: unknown }).address);
    if (launched.hasExited()) throw new Error(`The service ended before it listened:\n${launched.output()}`);
    return null;
  });
  return Number(new URL(address).port);
}

export function newOperatorKey(): string {
  return `opk_${randomBytes(24).toString("base64url")}`;
}

export async function temporaryFolder(name = "corprail-e2e-"): Promise<string> {
  return mkdtemp(join(tmpdir(), name));
}

export async function startService(environment: Environment, script?: string): Promise<Service> {
  const given = environment["CORPRAIL_DATA_DIR"];
  const dataFolder = given ?? (await temporaryFolder());
  const operatorKey = environment["CORPRAIL_OPERATOR_KEY"] ?? newOperatorKey();
  const launched = launch(
    // Providers and identity providers of tests are on this machine.
    {
      CORPRAIL_PORT: "0",
      CORPRAIL_PROVIDER_ALLOW: "127.0.0.0/8",
      CORPRAIL_SINGLE_SIGN_ON_ALLOW: "127.0.0.0/8",
      ...environment,
      CORPRAIL_DATA_DIR: dataFolder,
      CORPRAIL_OPERATOR_KEY: operatorKey,
    },
    script,
  );
  const port = await listeningPort(launched).catch(async (error: unknown) => {
    launched.signal("SIGKILL");
    await launched.exited;
    if (given === undefined) await rm(dataFolder, { recursive: true, force: true });
    throw error;
  });
  return {
    ...launched,
    port,
    url: `http://127.0.0.1:${port}`,
    operatorKey,
    dataFolder,
    stop: () => {
      launched.signal("SIGTERM");
      return within("the service stops", launched.exited);
    },
    kill: () => {
      launched.signal("SIGKILL");
      return within("the service is killed", launched.exited);
    },
  };
}

export type Installation = {
  readonly databaseUrl: string;
  readonly service: Service;
  /** One more process on the same database; a clock offset or proxies may be set. */
  readonly another: (environment?: Environment) => Promise<Service>;
  readonly close: () => Promise<void>;
};

/** A service with a database of its own and as many more processes on it as a test asks for. */
export async function startInstallation(environment: Environment = {}): Promise<Installation> {
  const database = await migratedDatabase();
  const started: Service[] = [];
  const another = async (more: Environment = {}) => {
    const service = await startService({ CORPRAIL_DATABASE_URL: database.url, ...more });
    started.push(service);
    return service;
  };
  const close = async () => {
    await Promise.all(started.map((service) => (service.hasExited() ? null : service.stop())));
    await database.drop();
    await Promise.all(started.map((service) => rm(service.dataFolder, { recursive: true, force: true })));
  };
  try {
    return { databaseUrl: database.url, service: await another(environment), another, close };
  } catch (error) {
    await close();
    throw error;
  }
}

// What tests want of a service that they do not need for themselves alone: a simulator that is quick, and receivers on this machine.
const SHARED = { CORPRAIL_SIMULATOR_DELAY_MS: "300", CORPRAIL_SIMULATOR_TIMEOUT_MS: "500", CORPRAIL_CALLBACK_ALLOW: "127.0.0.0/8" };
let shared: Promise<Installation> | null = null;

/**
 * The one installation that the files of this worker share, for tests that look at accounts of their own only. Closing it
 * ends what was started beside it; the service itself ends with the worker.
 */
export async function sharedInstallation(): Promise<Installation> {
  shared ??= startInstallation(SHARED).then((made) => {
    process.once("exit", () => rmSync(made.service.dataFolder, { recursive: true, force: true }));
    return made;
  });
  const { databaseUrl, service, another } = await shared;
  const beside: Service[] = [];
  return {
    databaseUrl,
    service,
    another: async (environment) => {
      const started = await another(environment);
      beside.push(started);
      return started;
    },
    close: async () => {
      await Promise.all(beside.map((one) => (one.hasExited() ? null : one.stop())));
      await Promise.all(beside.map((one) => rm(one.dataFolder, { recursive: true, force: true })));
    },
  };
}
