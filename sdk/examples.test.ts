import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TSC = join(ROOT, "node_modules/typescript/bin/tsc");
const run = promisify(execFile);

/** What the examples leave to the reader. */
const READERS_OWN = `
declare const corprail: import("@corprail/sdk").Corprail;
declare function deliver(urid: string, operatorRef: string | null): Promise<void>;
declare function refund(urid: string, why: string): Promise<void>;
declare function askAgainLater(urid: string): Promise<void>;
declare function bookOnce(key: string): Promise<boolean>;
declare function noteComplaint(ref: string, status: string, amount: string): Promise<void>;
declare function sql(text: TemplateStringsArray, ...values: unknown[]): Promise<{ count: number }>;
`;

const OPTIONS = {
  target: "es2022",
  lib: ["es2022"],
  module: "nodenext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  types: ["node"],
  // Express's and Fastify's own declarations are not ours to check.
  skipLibCheck: true,
};

let folder: string;
beforeAll(async () => {
  await run(process.execPath, [TSC, "-b", join(ROOT, "sdk"), join(ROOT, "sdk/cjs")]);
  folder = await mkdtemp(join(tmpdir(), "corprail-readme-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function link(name: string): Promise<void> {
  const place = join(folder, "node_modules", name);
  await mkdir(dirname(place), { recursive: true });
  await symlink(join(ROOT, "node_modules", name), place);
}

test("every TypeScript example of the README compiles against the built package", async () => {
  const readme = await readFile(join(ROOT, "sdk/README.md"), "utf8");
  const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  expect(blocks.length).toBeGreaterThan(8);
  await Promise.all(["@corprail/sdk", "@types/node", "@types/express", "fastify"].map(link));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  await writeFile(join(folder, "readers-own.d.ts"), READERS_OWN);
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: OPTIONS }));
  // A module each, so that examples may use the same names.
  for (const [index, block] of blocks.entries()) await writeFile(join(folder, `example-${index + 1}.ts`), `${block}\nexport {};\n`);
  const { stdout } = await run(process.execPath, [TSC, "-p", folder]).catch((error: { stdout: string }) => error);
  expect(stdout).toBe("");
});
