// node scripts/checks/check-imports.mjs: plain JavaScript (.mjs) is not type-checked, so this checks that every relative import
// names a file that exists and, for files of ours, something that the file exports. Run after the build.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
// Written as Biome and the compiler format them, with single spaces.
const IMPORT = /(?:import|export) \{([^{}]+)\} from "(\.{1,2}\/[^"]+)"/g;
const DECLARED = /export (?:async )?(?:function\*?|const|let|class) (\w+)/g;
const LISTED = /export \{([^{}]+)\}/g;
const files = execFileSync("git", ["ls-files", "-z", "*.mjs"], { cwd: ROOT, encoding: "utf8" }).split("\0").filter(Boolean);

/** The two names of each `a as b` in a list; both are `a` where nothing is renamed. */
function renamesIn(list) {
  return list.split(",").flatMap((item) => {
    const [from = "", to = from] = item.trim().split(" as ");
    return from === "" ? [] : [{ from, to }];
  });
}

function exportsOf(text) {
  const listed = [...text.matchAll(LISTED)].flatMap(([, names]) => renamesIn(names).map(({ to }) => to));
  return new Set([...[...text.matchAll(DECLARED)].map(([, name]) => name), ...listed]);
}

function faultsOf(file) {
  const text = readFileSync(join(ROOT, file), "utf8");
  return [...text.matchAll(IMPORT)].flatMap(([, names, target]) => {
    const path = resolve(ROOT, dirname(file), target);
    if (!existsSync(path)) return [`${file}: ${target} does not exist`];
    const exported = exportsOf(readFileSync(path, "utf8"));
    const missing = renamesIn(names).filter(({ from }) => !exported.has(from));
    return missing.map(({ from }) => `${file}: ${target} does not export ${from}`);
  });
}

const faults = files.filter((file) => existsSync(join(ROOT, file))).flatMap(faultsOf);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
