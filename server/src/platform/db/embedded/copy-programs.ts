import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { chmod, copyFile, lstat, mkdir, mkdtemp, readdir, readlink, realpath, rename, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode } from "./failures.ts";

const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;

type Packed = { readonly folder: string; readonly version: string };

/** Copies the programs to a folder that only this user can write; null if the home folder is not suitable. */
export async function copyPrograms(packed: Packed, home: string): Promise<string | null> {
  try {
    // Set again with chmod, because a strict umask would deny the server's user access.
    if ((await mkdir(home, { recursive: true, mode: 0o755 })) !== undefined) await chmod(home, 0o755);
    const safeHome = await realpath(home);
    if (!(await isSafeHome(safeHome))) return null;
    const target = join(safeHome, `corprail-postgresql-${packed.version}-${process.platform}-${process.arch}`);
    if (await isFaithful(packed.folder, target)) return target;
    await setAside(target);
    await copyInOneStep(packed.folder, target);
    return (await isFaithful(packed.folder, target)) ? target : null;
  } catch (error) {
    if (["EACCES", "EPERM", "EROFS", "ENOSPC", "ENOTDIR", "EEXIST"].includes(errorCode(error))) return null;
    throw error;
  }
}

// Others could replace this folder if they can write to a parent, unless the parent is sticky like /tmp.
async function isSafeHome(home: string): Promise<boolean> {
  for (let folder = home; ; folder = dirname(folder)) {
    const stats = await lstat(folder);
    const ownerTrusted = stats.uid === 0 || stats.uid === process.getuid?.();
    if (!ownerTrusted || (stats.mode & WRITABLE_BY_OTHERS && !(stats.mode & STICKY))) return false;
    if (folder === dirname(folder)) return true;
  }
}

function isOurs(stats: Stats): boolean {
  return stats.uid === process.getuid?.() && (stats.isSymbolicLink() || (stats.mode & WRITABLE_BY_OTHERS) === 0);
}

/** Whether every file belongs to this user and has its original length, so that it was neither planted nor cleaned up. */
async function isFaithful(source: string, copy: string): Promise<boolean> {
  const original = await lstat(source);
  const found = await lstat(copy).catch(() => null);
  if (found === null || !isOurs(found)) return false;
  if (original.isSymbolicLink()) return found.isSymbolicLink() && (await readlink(source)) === (await readlink(copy));
  if (original.isFile()) return found.isFile() && found.size === original.size;
  if (!found.isDirectory()) return false;
  for (const name of await readdir(source)) {
    if (!(await isFaithful(join(source, name), join(copy, name)))) return false;
  }
  return true;
}

async function setAside(target: string): Promise<void> {
  const found = await lstat(target).catch(() => null);
  if (found === null) return;
  const aside = `${target}.distrusted-${randomBytes(6).toString("hex")}`;
  await rename(target, aside);
  // A folder of another user is not deleted, because its links could lead root to other files.
  if (isOurs(found)) await rm(aside, { recursive: true, force: true });
}

async function copyInOneStep(source: string, target: string): Promise<void> {
  const making = await mkdtemp(`${target}.copying-`);
  try {
    await copyTree(source, making);
    await rename(making, target);
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    // Another start was faster; the caller checks its copy.
    if (!["ENOTEMPTY", "EEXIST"].includes(errorCode(error))) throw error;
  }
}

async function copyTree(source: string, target: string): Promise<void> {
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const from = join(source, entry.name);
    const to = join(target, entry.name);
    if (entry.isSymbolicLink()) await symlink(await readlink(from), to);
    else if (entry.isDirectory()) {
      await mkdir(to);
      await copyTree(from, to);
    } else {
      await copyFile(from, to);
      await chmod(to, (await lstat(from)).mode & 0o100 ? 0o755 : 0o644);
    }
  }
  await chmod(target, 0o755);
}
