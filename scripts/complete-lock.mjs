// `npm run lock`, after a change of dependencies. A registry that does not hold every platform's optional packages makes
// npm write a lock without them, and `npm ci` then refuses that lock. This adds what is missing, without hashes.
import { readFile, writeFile } from "node:fs/promises";

const SYSTEMS = ["darwin", "win32", "android", "freebsd", "openbsd", "netbsd", "openharmony", "linux", "aix", "sunos"];
const PROCESSORS = ["arm64", "x64", "ia32", "ppc64", "riscv64", "s390x", "loong64", "mips64el", "arm", "wasm32"];

// `npm run lock -- docs` does the same for the package of that folder.
const path = new URL(`../${process.argv[2] ?? "."}/package-lock.json`, import.meta.url);
const lock = JSON.parse(await readFile(path, "utf8"));
const added = [];
for (const [place, holder] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(holder.optionalDependencies ?? {})) {
    if (lock.packages[`node_modules/${name}`] || lock.packages[`${place}/node_modules/${name}`]) continue;
    lock.packages[`node_modules/${name}`] = entryOf(name, range, holder.dev);
    added.push(name);
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
await writeFile(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(added.length === 0 ? "The lock is complete." : `Added to the lock: ${added.join(", ")}`);

// A platform package's name says what it is for: @scope/thing-linux-arm64-musl.
function entryOf(name, range, dev) {
  const words = name.replace("windows", "win32").split(/[-/]/);
  const os = SYSTEMS.filter((system) => words.includes(system));
  const cpu = PROCESSORS.filter((processor) => words.includes(processor));
  if (os.length + cpu.length === 0) throw new Error(`${name} does not look like a package for one platform.`);
  const libc = words.some((word) => word.startsWith("musl")) ? ["musl"] : words.some((word) => word.startsWith("gnu")) ? ["glibc"] : [];
  return {
    version: range.replace(/^[\^~]/, ""),
    optional: true,
    ...(dev ? { dev } : {}),
    ...(cpu.length > 0 ? { cpu } : {}),
    ...(os.length > 0 ? { os } : {}),
    ...(libc.length > 0 && os.includes("linux") ? { libc } : {}),
  };
}
