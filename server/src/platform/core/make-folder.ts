import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a folder, and those above it that are missing. Node's own recursive mkdir never returns where a file system refuses
 * new folders with ENOENT, as /proc does.
 */
export function makeFolder(path: string, mode: number): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have been first.
    if (!existsSync(path)) throw error;
  }
}
