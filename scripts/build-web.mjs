// Builds the sites in web/ when there is no build of these very sources yet.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const web = new URL("../web/", import.meta.url);
const stamp = new URL("dist/built-from", web);

/** One digest over everything a build depends on. */
function sources() {
  const top = readdirSync(web).filter((name) => /\.(?:html|json|ts)$/.test(name));
  const below = readdirSync(new URL("src/", web), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const folder = fileURLToPath(web);
  const names = [...top, ...below.map((entry) => relative(folder, join(entry.parentPath, entry.name))), "../package-lock.json"];
  const hash = createHash("sha256");
  for (const name of names.sort()) hash.update(`${name}\n`).update(readFileSync(join(folder, name)));
  return hash.digest("hex");
}

const wanted = sources();
if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) {
  const { build } = await import("vite");
  const configFile = fileURLToPath(new URL("vite.config.ts", web));
  for (const mode of ["portal", "console"]) await build({ configFile, mode, logLevel: "warn" });
  writeFileSync(stamp, wanted);
}
