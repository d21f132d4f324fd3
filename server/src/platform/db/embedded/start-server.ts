import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { EmbeddedDatabaseError } from "./failures.ts";
import type { ClusterLocation } from "./make-cluster.ts";
import type { Programs } from "./programs.ts";
import { type Log, runServer, type Server } from "./run-server.ts";
import { type Settings, serverSettings } from "./server-settings.ts";
import { stopServersIn } from "./stop-servers.ts";

export type StartedServer = { readonly port: number; readonly server: Server };

const PORT_TRIES = 10;
const REMAINS_MILLISECONDS = 10_000;
const STILL_STARTING_MILLISECONDS = 10_000;

/** Starts PostgreSQL on a free port. The caller must hold the folder's lock. */
export async function startServer(
  location: ClusterLocation,
  programs: Programs,
  extra: Settings,
  log: Log,
  pickPort = freePort,
): Promise<StartedServer> {
  await clearRemains(location.cluster, log);
  const deadline = performance.now() + REMAINS_MILLISECONDS;
  for (let portTries = 1; ; ) {
    const port = await pickPort();
    const server = runServer(location, programs, serverSettings(port, extra), log);
    location.onLaunch?.();
    if (await becomesReady(server, log)) return { port, server };
    const lastWords = await server.ended;
    if (isPortLost(lastWords) && portTries < PORT_TRIES) portTries++;
    else if (isHeldByRemains(lastWords) && performance.now() < deadline) {
      await delay(200);
      await clearRemains(location.cluster, log);
    } else throw new EmbeddedDatabaseError(`The embedded PostgreSQL did not start. ${lastWords}`);
  }
}

/**
 * After kill -9 a server may run for a moment longer, and postmaster.pid may name a process id that another process now
 * has, so that PostgreSQL refuses to start. Because this process holds the lock, no other service uses these files.
 */
async function clearRemains(cluster: string, log: Log): Promise<void> {
  if (await stopServersIn(cluster)) log.warn({ cluster }, "stopped a PostgreSQL left running by an earlier run");
  rmSync(join(cluster, "postmaster.pid"), { force: true });
}

async function becomesReady(server: Server, log: Log): Promise<boolean> {
  const began = performance.now();
  const reminder = setInterval(() => {
    const seconds = Math.round((performance.now() - began) / 1000);
    log.info({ seconds }, "PostgreSQL still starting; after a crash it first replays its log");
  }, STILL_STARTING_MILLISECONDS);
  try {
    return await server.ready;
  } finally {
    clearInterval(reminder);
  }
}

function isPortLost(lastWords: string): boolean {
  return lastWords.includes("could not create any TCP/IP sockets");
}

function isHeldByRemains(lastWords: string): boolean {
  return /pre-existing shared memory block|lock file "postmaster.pid" already exists/.test(lastWords);
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen({ port: 0, host: "127.0.0.1", exclusive: true }, () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
