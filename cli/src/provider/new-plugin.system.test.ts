import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { corprail, temporaryFolder } from "../../testing/processes.ts";

const MODULES = fileURLToPath(new URL("../../../node_modules", import.meta.url));

test("a new plug-in builds and passes the contract kit, and a folder that is not empty is refused", async () => {
  const folder = join(temporaryFolder(), "a space", "quick-pay");
  const made = await corprail(["provider", "new", folder], {});
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining("quick-pay is in") });
  expect(made.stderr).toContain(`  cd '${folder}'\n`);
  // From a checkout no registry is needed for our own package.
  const [, word = ""] = /npm install (.+)/.exec(made.stdout + made.stderr) ?? [];
  const kit = execFileSync("sh", ["-c", `printf %s ${word}`], { encoding: "utf8" });
  expect(JSON.parse(readFileSync(join(kit, "package.json"), "utf8"))).toMatchObject({ name: "@corprail/connector" });
  expect(readFileSync(join(folder, "src/index.ts"), "utf8")).toContain('name: "quick-pay"');
  symlinkSync(MODULES, join(folder, "node_modules"));
  execFileSync(process.execPath, [join(MODULES, "typescript/bin/tsc")], { cwd: folder });
  const output = execFileSync(process.execPath, ["--test", "dist/test/"], { cwd: folder, encoding: "utf8" });
  expect(output).toMatch(/fail 0/);
  expect(await corprail(["provider", "new", folder], {})).toMatchObject({ code: 1, stderr: expect.stringContaining("is not empty") });
});
