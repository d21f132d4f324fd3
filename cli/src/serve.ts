import { readConfig } from "@corprail/server/config";
import { main } from "@corprail/server/main";
import { EXIT_CODES } from "./outcome.ts";

/** Runs the service until it is told to stop; it then ends the process itself. */
export async function serve(): Promise<void> {
  const read = readConfig(process.env, process.cwd());
  if (read.ok) return main();
  process.stderr.write(`${read.message}\n`);
  process.exitCode = EXIT_CODES.usage;
}
