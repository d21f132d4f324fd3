import { execFile, spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./service.ts";

export type Command = readonly [string, ...string[]];

export type Language = {
  readonly name: string;
  /** Why its examples cannot run here; null when they can. */
  readonly missing: string | null;
  /** Compiles an example into the folder where that is needed, and says how to run it. */
  readonly prepare: (source: string, folder: string) => Promise<Command>;
};

const run = promisify(execFile);
const COMPILER = join(ROOT, "node_modules/typescript/bin/tsc");
const STRICT = [
  "--ignoreConfig",
  "--strict",
  "--noUncheckedIndexedAccess",
  "--target",
  "es2022",
  "--module",
  "nodenext",
  "--types",
  "node",
];

export const LANGUAGES: readonly Language[] = [
  { name: "typescript", missing: null, prepare: compileTypeScript },
  interpreted("python", "python3", ["--version"]),
  interpreted("php", "php", ["--version"]),
  { name: "java", missing: missing("javac", ["--version"]), prepare: compileJava },
  { name: "go", missing: missing("go", ["version"]), prepare: compileGo },
  interpreted("bash", "bash", ["--version"]),
];

function missing(program: string, ask: readonly string[]): string | null {
  return spawnSync(program, ask, { stdio: "ignore" }).status === 0 ? null : `${program} is not on this machine`;
}

function interpreted(name: string, program: string, ask: readonly string[]): Language {
  return { name, missing: missing(program, ask), prepare: async (source) => [program, source] };
}

async function compileTypeScript(source: string, folder: string): Promise<Command> {
  await run(process.execPath, [COMPILER, ...STRICT, "--outDir", folder, source], { cwd: ROOT });
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  return [process.execPath, join(folder, baseName(source, ".ts", ".js"))];
}

async function compileJava(source: string, folder: string): Promise<Command> {
  await run("javac", ["-Xlint:all", "-Werror", "-encoding", "UTF-8", "-d", folder, source]);
  return ["java", "-XX:TieredStopAtLevel=1", "-cp", folder, baseName(source, ".java", "")];
}

async function compileGo(source: string, folder: string): Promise<Command> {
  const program = join(folder, baseName(source, ".go", ""));
  await run("go", ["build", "-o", program, source]);
  return [program];
}

function baseName(source: string, from: string, to: string): string {
  return (source.split("/").at(-1) ?? "").replace(from, to);
}

/** What stands between an example's region marks, with the indentation that all its lines share taken off: as the guide shows it. */
export function shownRegion(source: string, region: string): string {
  const text = new RegExp(`#region ${region}\\n([\\s\\S]*?)\\n[^\\n]*#endregion`).exec(source)?.[1]?.trimEnd() ?? "";
  const lines = text.split("\n");
  const indents = lines.filter((line) => line !== "").map((line) => /^ */.exec(line)?.[0].length ?? 0);
  return lines.map((line) => line.slice(Math.min(...indents))).join("\n");
}
