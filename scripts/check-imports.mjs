// node scripts/check-imports.mjs: plain JavaScript (.mjs) is not type-checked, so this checks that every relative import
// names a file that exists and, for files of ours, something that the file exports. Run after the build.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const IMPORT = /(?:import|export)\s*\{([^}]+)\}\s*from\s*"(\.{1,2}\/[^"]+)"/g;
const files = execFileSync("git", ["ls-files", "-z", "*.mjs"], { cwd: ROOT, encoding: "utf8" }).split("\0").filter(Boolean);

function isExported(text, name) {
  return new RegExp(`export\\s+(?:async\\s+)?(?:function\\*?|const|let|class)\\s+${name}\\b|export\\s*\\{[^}]*\\b${name}\\b`).test(text);
}

function faultsOf(file) {
  const text = readFileSync(join(ROOT, file), "utf8");
  return [...text.matchAll(IMPORT)].flatMap(([, names, target]) => {
    const path = resolve(ROOT, dirname(file), target);
    if (!existsSync(path)) return [`${file}: ${target} does not exist`];
    const exported = readFileSync(path, "utf8");
    return names
      .split(",")
      .map((name) => name.trim().split(/\s+as\s+/)[0])
      .filter((name) => name !== "" && !isExported(exported, name))
      .map((name) => `${file}: ${target} does not export ${name}`);
  });
}

const faults = files.filter((file) => existsSync(join(ROOT, file))).flatMap(faultsOf);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
