import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Writes a generated API description. With --check it only compares, and returns the exit code 1 if they differ. Tests
 * name another file as an argument.
 */
export async function writeDescription(given: readonly string[], committed: string, text: string): Promise<number> {
  const file = given.find((argument) => !argument.startsWith("--")) ?? committed;
  if (given.includes("--check")) return await compare(file, text);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  console.log(`Wrote ${file}.`);
  return 0;
}

async function compare(file: string, text: string): Promise<number> {
  if ((await readOrEmpty(file)) === text) return 0;
  console.error(`${file} does not match the routes. Run npm run openapi and commit the file.`);
  return 1;
}

async function readOrEmpty(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}
