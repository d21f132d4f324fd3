import { readConfig } from "./config.ts";
import { openOutputLog } from "./observe/log.ts";
import { startService } from "./service.ts";

// Whatever still hangs then is cut off; an embedded PostgreSQL ends with us in any case.
const LAST_MOMENT_MILLISECONDS = 9_500;

type Ending = { readonly reason: string; readonly code: number };

/** Runs the service until it is told to stop. */
export async function main(): Promise<void> {
  const read = readConfig(process.env, process.cwd());
  if (!read.ok) return fail(read.message);
  const log = openOutputLog({ level: read.config.logLevel, format: read.config.logFormat });
  const told = untilTold();
  try {
    const service = await startService(read.config, log);
    const ending = await Promise.race([told, service.failed.then((reason): Ending => ({ reason, code: 1 }))]);
    log.info({ reason: ending.reason }, "stopping");
    await service.stop();
    log.info({}, "stopped");
    process.exit(ending.code);
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}

/** Resolves at the first signal. Further ones change nothing: npm hands on what the terminal has sent already. */
function untilTold(): Promise<Ending> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => {
        resolve({ reason: signal, code: 0 });
        setTimeout(() => process.exit(0), LAST_MOMENT_MILLISECONDS).unref();
      });
    }
  });
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
