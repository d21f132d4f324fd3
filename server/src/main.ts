import { setTimeout as delay } from "node:timers/promises";
import { readConfig } from "./config.ts";
import { createOutputLog } from "./platform/observability/log.ts";
import { startWhenDiskHasSpace } from "./start-when-disk-has-space.ts";

// Counted from the end of the drain. Whatever still hangs then is cut off; an embedded PostgreSQL ends with us in any case.
const FORCED_EXIT_MILLISECONDS = 8_500;

type Exit = { readonly reason: string; readonly code: number; readonly drainSeconds: number };

/** Runs the service until it is told to stop. */
export async function main(): Promise<void> {
  const read = readConfig(process.env, process.cwd());
  if (!read.ok) return fail(read.message);
  const log = createOutputLog({ level: read.config.logLevel, format: read.config.logFormat });
  const stopRequest = stopSignal(read.config.drainSeconds);
  try {
    const service = await startWhenDiskHasSpace(read.config, log, stopRequest);
    if (service === null) process.exit(0);
    const failed = service.failed.then((reason): Exit => ({ reason, code: 1, drainSeconds: 0 }));
    let exit = await Promise.race([stopRequest, failed]);
    log.info({ reason: exit.reason, drainSeconds: exit.drainSeconds }, "stopping");
    if (exit.drainSeconds > 0) {
      service.drain();
      exit = (await Promise.race([failed, delay(exit.drainSeconds * 1000)])) ?? exit;
    }
    await service.stop();
    log.info({}, "stopped");
    process.exit(exit.code);
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Resolves at the first signal. Further ones change nothing: npm hands on what the terminal has sent already. Whoever
 * presses Ctrl-C has no proxy that needs to hear of it first.
 */
function stopSignal(configuredSeconds: number): Promise<Exit> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => {
        const drainSeconds = signal === "SIGTERM" ? configuredSeconds : 0;
        resolve({ reason: signal, code: 0, drainSeconds });
        setTimeout(() => process.exit(0), drainSeconds * 1000 + FORCED_EXIT_MILLISECONDS).unref();
      });
    }
  });
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
