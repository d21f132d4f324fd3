// npm run arrows: checks every import of server/src against server/arrows.json, the one list of allowed arrows.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SOURCE = join(ROOT, "server/src");
const { layers, modules } = JSON.parse(readFileSync(join(ROOT, "server/arrows.json"), "utf8"));
const IMPORT = /(?:from |import |import\()"(\.{1,2}\/[^"]+)"/g;

/** The layer and the module of a file; a file outside the layers belongs to the program that puts all together. */
function placeOf(file) {
  const [layer, name, ...rest] = file.split("/");
  return layers.includes(layer) && rest.length > 0 ? { layer, module: `${layer}/${name}` } : { layer: "main", module: "main" };
}

function isTest(file) {
  return file.endsWith(".test.ts") || file.split("/").includes("testing");
}

/** Null when the arrow is allowed; else why it is not. */
function faultOf(from, to) {
  if (from.module === to.module || from.layer === "main") return null;
  if (to.layer === "main") return `${from.module} imports from outside the layers`;
  const [own, other] = [layers.indexOf(from.layer), layers.indexOf(to.layer)];
  if (other < own) return null;
  if (other > own) return `${from.module} imports ${to.module}, which is a layer above`;
  const allowed = modules[from.module].some((name) => `${from.layer}/${name}` === to.module);
  return allowed ? null : `${from.module} imports ${to.module}, which server/arrows.json does not allow`;
}

function cycleFrom(start, path = [start]) {
  const last = path.at(-1);
  for (const name of modules[last] ?? []) {
    const next = `${last.split("/")[0]}/${name}`;
    if (next === start) return [...path, next];
    const found = path.includes(next) ? null : cycleFrom(start, [...path, next]);
    if (found) return found;
  }
  return null;
}

const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts") && !isTest(file));
const faults = [];
const used = new Set();
for (const file of files) {
  const from = placeOf(file);
  if (from.module !== "main" && modules[from.module] === undefined) faults.push(`${file}: ${from.module} is not in server/arrows.json`);
  for (const [, specifier] of readFileSync(join(SOURCE, file), "utf8").matchAll(IMPORT)) {
    const to = placeOf(posix.join(dirname(file), specifier));
    used.add(`${from.module} ${to.module}`);
    const fault = modules[from.module] === undefined ? null : faultOf(from, to);
    if (fault) faults.push(`${file}: ${fault}`);
  }
}
for (const [module, names] of Object.entries(modules)) {
  const cycle = cycleFrom(module);
  if (cycle) faults.push(`server/arrows.json: a cycle, ${cycle.join(" → ")}`);
  for (const name of names) {
    const other = `${module.split("/")[0]}/${name}`;
    if (!used.has(`${module} ${other}`)) faults.push(`server/arrows.json: nothing in ${module} imports ${other} any more`);
  }
}
if (faults.length > 0) {
  process.stderr.write(`${faults.join("\n")}\n`);
  process.exitCode = 1;
}
