import cluster from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import type { Role } from "./role.ts";
import type { Service } from "./service.ts";
import { type Config, readConfig } from "./settings/config.ts";
import { startWhenPossible } from "./start/start-when-possible.ts";

// Counted from the end of the drain. The process then exits even if a module still hangs.
const FORCED_EXIT_MILLISECONDS = 8_500;

// V8 would allocate what often survived at the start as old objects, which keep requests alive (docs/decisions/0045-short-lived-entries.md).
const ALL_OBJECTS_START_YOUNG = "--no-allocation-site-pretenuring";

type Exit = { readonly reason: string; readonly code: number; readonly drainSeconds: number; readonly port: "closes" | "stays open" };

/** Runs the service until a stop signal arrives or the embedded database fails for good. */
export async function main(): Promise<void> {
  setFlagsFromString(ALL_OBJECTS_START_YOUNG);
  const read = readConfig(process.env, process.cwd());
  if (!read.ok) return fail(read.message);
  const { config } = read;
  // Before anything is loaded or started, so that a signal during the start is obeyed too.
  const signal = stopSignal(config.drainSeconds);
  const role = await loadRole(config);
  const stopRequest = Promise.race([signal, retirement(role, config.drainSeconds)]);
  try {
    const service = await startWhenPossible(role.start, config, role.log, stopRequest);
    if (service === null) {
      await role.discard();
      role.log.info({}, "stopped before the start was complete");
      process.exit(0);
    }
    role.started(service);
    const code = await runUntilStopped(role, service, stopRequest);
    process.exit(code);
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}

/** Each role loads only what it needs: the primary process of several does not contain the service. */
async function loadRole(config: Config): Promise<Role> {
  if (config.processes > 1 && cluster.isPrimary) return (await import("./primary-role.ts")).primaryRole(config);
  // PostgreSQL starts in processes of its own while this one loads the service.
  const database = config.databaseUrl === null ? await (await import("./start/early-database.ts")).startDatabaseEarly(config) : null;
  return (await import("./serving-role.ts")).servingRole(config, database);
}

async function runUntilStopped({ log, beforeExit }: Role, service: Service, stopRequest: Promise<Exit>): Promise<number> {
  const failed = service.failed.then((reason): Exit => ({ reason, code: 1, drainSeconds: 0, port: "closes" }));
  let exit = await Promise.race([stopRequest, failed]);
  log.info({ reason: exit.reason, drainSeconds: exit.drainSeconds }, "stopping");
  if (exit.drainSeconds > 0) {
    service.drain(exit.port);
    exit = (await Promise.race([failed, delay(exit.drainSeconds * 1000)])) ?? exit;
  }
  await service.stop();
  await beforeExit();
  log.info({}, "stopped");
  return exit.code;
}

/**
 * Resolves at the first signal. Later signals are ignored, because npm forwards a signal that the terminal has already
 * sent. Ctrl-C skips the drain: there is no load balancer to wait for.
 */
function stopSignal(configuredSeconds: number): Promise<Exit> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => {
        const drainSeconds = signal === "SIGTERM" ? configuredSeconds : 0;
        resolve({ reason: signal, code: 0, drainSeconds, port: "closes" });
        exitAfter(drainSeconds);
      });
    }
  });
}

async function retirement({ retired }: Role, drainSeconds: number): Promise<Exit> {
  await retired;
  exitAfter(drainSeconds);
  return { reason: "another worker took its place", code: 0, drainSeconds, port: "stays open" };
}

function exitAfter(drainSeconds: number): void {
  setTimeout(() => process.exit(0), drainSeconds * 1000 + FORCED_EXIT_MILLISECONDS).unref();
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
