import { setTimeout as delay } from "node:timers/promises";
import { readConfig } from "./config.ts";
import { createOutputLog } from "./platform/observability/log.ts";
import { startWhenDiskHasSpace } from "./start-when-disk-has-space.ts";

// Counted from the end of the drain. The process then exits even if a module still hangs.
const FORCED_EXIT_MILLISECONDS = 8_500;

type Exit = { readonly reason: string; readonly code: number; readonly drainSeconds: number };

/** Runs the service until a stop signal arrives or the embedded database fails for good. */
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
 * Resolves at the first signal. Later signals are ignored, because npm forwards a signal that the terminal has already
 * sent. Ctrl-C skips the drain: there is no load balancer to wait for.
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
