import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { describeRoutes } from "./describe-routes.ts";
import { documentText } from "./document.ts";

// `npm run openapi` writes contract/openapi.json. With --check it only compares, and exits with 1 if they differ.
const COMMITTED = fileURLToPath(new URL("../../../../../contract/openapi.json", import.meta.url));

async function main(given: readonly string[]): Promise<number> {
  const check = given.includes("--check");
  // Tests name another file.
  const file = given.find((argument) => !argument.startsWith("--")) ?? COMMITTED;
  const text = documentText(describeRoutes());
  if (check) return compare(file, text);
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

process.exitCode = await main(process.argv.slice(2));
