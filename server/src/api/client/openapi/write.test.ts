import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { describeRoutes } from "./describe-routes.ts";
import { documentText } from "./document.ts";

const PROGRAM = fileURLToPath(new URL("../../../../dist/api/client/openapi/write.js", import.meta.url));
const COMMITTED = fileURLToPath(new URL("../../../../../contract/openapi.json", import.meta.url));

function run(...given: readonly string[]): Promise<{ readonly code: number; readonly stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [PROGRAM, ...given], (_error, _stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stderr }),
    );
  });
}

async function temporaryFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "corprail-openapi-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, "openapi.json");
}

test("the committed document matches the routes", async () => {
  expect(await readFile(COMMITTED, "utf8"), "Run npm run openapi.").toBe(documentText(describeRoutes()));
});

test("a written file passes the check, and a changed or missing file fails it with the command that fixes it", async () => {
  const file = await temporaryFile();
  const missing = await run("--check", file);
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining("npm run openapi") });
  expect(await run(file)).toMatchObject({ code: 0 });
  expect(await run("--check", file)).toEqual({ code: 0, stderr: "" });
  await writeFile(file, (await readFile(file, "utf8")).replace("getServices", "getService"));
  const drifted = await run("--check", file);
  expect(drifted).toMatchObject({ code: 1, stderr: expect.stringContaining("npm run openapi") });
  expect(drifted.stderr).toContain(file);
});
