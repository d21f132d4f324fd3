import { closeSync, fchmodSync, fchownSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** Replaces a file atomically with one that only the data folder's owner can read. */
export function writePrivateFile(path: string, text: string): void {
  const fresh = `${path}.new`;
  rmSync(fresh, { force: true });
  // "wx" never follows a link that another user has planted.
  const file = openSync(fresh, "wx", 0o600);
  try {
    fchmodSync(file, 0o600);
    // A later start as the folder's owner must be able to read a file that root wrote.
    if (process.getuid?.() === 0) {
      const folder = statSync(dirname(path));
      fchownSync(file, folder.uid, folder.gid);
    }
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
  renameSync(fresh, path);
}

export function syncToDisk(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
