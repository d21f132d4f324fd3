import { CommanderError } from "commander";
import { buildProgram } from "./program.ts";
import { EXIT_CODES } from "./shared/outcome.ts";

/** The exit code is set, not forced: standard output may still be on its way into a pipe. */
export async function main(given: readonly string[]): Promise<void> {
  try {
    await buildProgram().parseAsync([...given], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage;
  }
}
