import { readConfig } from "./config.ts";
import { openLog } from "./observe/log.ts";
import { startService } from "./service.ts";

/** Runs the service until it is told to stop. */
export async function main(): Promise<void> {
  const read = readConfig(process.env, process.cwd());
  if (!read.ok) return fail(read.message);
  const log = openLog(read.config.logLevel);
  try {
    const service = await startService(read.config, log);
    const stop = async (reason: string, code: number) => {
      process.removeAllListeners("SIGTERM").removeAllListeners("SIGINT");
      log.info({ reason }, "stopping");
      await service.stop();
      log.info({}, "stopped");
      process.exit(code);
    };
    process.once("SIGTERM", () => void stop("SIGTERM", 0));
    process.once("SIGINT", () => void stop("SIGINT", 0));
    void service.failed.then((reason) => stop(reason, 1));
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
