import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { done, failed, type Outcome } from "../shared/outcome.ts";

/** What a verification compares a file with, besides its own signatures. */
export type EvidenceOptions = { readonly key?: string; readonly anchor?: string };

type Fault = { readonly line?: number; readonly why: string };
type VerifiedFile = { readonly holds: string; readonly faults: readonly Fault[]; readonly keys: readonly string[] };

const PROGRAMS = {
  statement: fileURLToPath(new URL("../../../contract/verify-statement.mjs", import.meta.url)),
  audit: fileURLToPath(new URL("../../../contract/verify-audit.mjs", import.meta.url)),
};

/** Verifies a file with the same program that auditors have. It needs no database. */
export async function verifyFile(kind: keyof typeof PROGRAMS, file: string, options: EvidenceOptions): Promise<Outcome> {
  const anchor = options.anchor === undefined ? null : resolve(options.anchor);
  for (const path of [resolve(file), anchor]) if (path !== null && !existsSync(path)) return failed(`There is no file ${path}.`);
  const chosen = [...(options.key === undefined ? [] : ["--key", options.key]), ...(anchor === null ? [] : ["--anchor", anchor])];
  const { holds, faults, keys } = await run(PROGRAMS[kind], [resolve(file), ...chosen]);
  if (faults.length === 0) return done(`As signed: ${holds}. Signed with the key ${keys.join(", ")}.`, { holds, keys, faults });
  const report = faults.map(({ line, why }) => (line === undefined ? why : `line ${line}: ${why}`)).join("\n");
  return failed(`${file} is not as it was signed.`, { keys, faults }, report);
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

async function run(program: string, given: readonly string[]): Promise<VerifiedFile> {
  return await new Promise((resolveRun, reject) => {
    execFile(process.execPath, [program, ...given, "--json"], { maxBuffer: MAX_OUTPUT_BYTES }, (error, stdout, stderr) => {
      // It ends with 1 when it found a fault, and writes nothing to standard output when it could not read the file.
      if (stdout !== "") return resolveRun(JSON.parse(stdout) as VerifiedFile);
      const [said] = stderr.match(/(?<=^Error: ).*$/m) ?? [error?.message ?? "The verifier wrote nothing."];
      reject(new Error(said));
    });
  });
}
