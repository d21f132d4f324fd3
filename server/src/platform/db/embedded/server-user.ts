import { lchownSync, lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { EmbeddedDatabaseError } from "./failures.ts";

/** The user that PostgreSQL runs as; null: the current user. */
export type ServerUser = SystemUser | null;
export type SystemUser = { readonly name: string; readonly uid: number; readonly gid: number };

/** Chooses the user for PostgreSQL, which refuses to run as root. */
export function chooseServerUser(dataFolder: string, cluster: string): ServerUser {
  if (process.getuid?.() !== 0) return null;
  const owners = [dataFolder, cluster].map((folder) => statSync(folder, { throwIfNoEntry: false })?.uid ?? 0);
  const user = pickUser(parsePasswd(readFileSync("/etc/passwd", "utf8")), owners);
  if (user !== null) return user;
  throw new EmbeddedDatabaseError(
    "PostgreSQL does not run as root, and there is neither a user postgres nor nobody. Start as an ordinary user, or set CORPRAIL_DATABASE_URL.",
  );
}

/** The first owner that is not root and has a name (initdb requires one), else postgres, else nobody. */
export function pickUser(users: readonly SystemUser[], owners: readonly number[]): SystemUser | null {
  const candidates = users.filter((user) => user.uid !== 0);
  for (const owner of owners) {
    const user = candidates.find(({ uid }) => uid === owner);
    if (user !== undefined) return user;
  }
  const named = (wanted: string) => candidates.find(({ name }) => name === wanted);
  return named("postgres") ?? named("nobody") ?? null;
}

export function parsePasswd(text: string): SystemUser[] {
  return text.split("\n").flatMap((line) => {
    const [name = "", , uid = "", gid = ""] = line.split(":");
    return name !== "" && /^\d+$/.test(uid) && /^\d+$/.test(gid) ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

/** Changes the owner of a cluster to the user that will run it. Links are never followed. */
export function giveTo(user: SystemUser, path: string): void {
  const entry = lstatSync(path);
  // With a hard link outside the cluster, the owner of that file would change too.
  if (entry.isFile() && entry.nlink > 1)
    throw new EmbeddedDatabaseError(`${path} has a hard link elsewhere, so its owner was not changed to ${user.name}.`);
  if (entry.uid !== user.uid || entry.gid !== user.gid) lchownSync(path, user.uid, user.gid);
  if (entry.isDirectory()) for (const name of readdirSync(path)) giveTo(user, join(path, name));
}
