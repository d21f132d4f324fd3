import { main } from "../src/main.ts";
import type { Ended, Variables } from "./processes.ts";

/**
 * Runs a command to its end inside the test's own process: for what is decided before anything is opened, where a process
 * of its own would only cost the time to load it. Commands run one after the other, because they share the process's streams.
 */
export async function corprailHere(given: readonly string[], variables: Variables = {}): Promise<Ended> {
  const written = { stdout: "", stderr: "" };
  const [environment, exitCode, stdout, stderr] = [process.env, process.exitCode, process.stdout.write, process.stderr.write];
  process.env = { PATH: environment["PATH"], HOME: environment["HOME"], NO_COLOR: "1", ...variables };
  process.exitCode = undefined;
  process.stdout.write = taking((text) => {
    written.stdout += text;
  });
  process.stderr.write = taking((text) => {
    written.stderr += text;
  });
  try {
    await main(given);
    return { code: Number(process.exitCode ?? 0), ...written };
  } finally {
    process.env = environment;
    process.exitCode = exitCode;
    process.stdout.write = stdout;
    process.stderr.write = stderr;
  }
}

function taking(take: (text: string) => void): typeof process.stdout.write {
  return (text: string | Uint8Array) => {
    take(String(text));
    return true;
  };
}
