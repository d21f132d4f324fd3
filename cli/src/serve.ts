import { readConfig } from "@corprail/server/settings/config";
import { EXIT_CODES } from "./shared/outcome.ts";

/** Runs the service until it is stopped. The service then ends the process. */
export async function serve(): Promise<void> {
  const read = readConfig(process.env, process.cwd());
  if (read.ok) {
    // The other commands are spared the time that loading the whole service takes.
    const { main } = await import("@corprail/server/main");
    return main();
  }
  process.stderr.write(`${read.message}\n`);
  process.exitCode = EXIT_CODES.usage;
}
