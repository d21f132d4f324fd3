import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Holder } from "./failures.ts";
import { writePrivateFile } from "./private-file.ts";

export type HolderNote = Holder & { readonly state: "running" | "stopping" };

const noteFile = (dataFolder: string): string => join(dataFolder, "holder.json");

// The note is only informative; the lock decides. So a full disk must not prevent a start or a stop.
export function writeHolder(dataFolder: string, note: HolderNote): void {
  try {
    writePrivateFile(noteFile(dataFolder), `${JSON.stringify(note)}\n`);
  } catch {}
}

export function removeHolder(dataFolder: string): void {
  rmSync(noteFile(dataFolder), { force: true });
}

export function readHolder(dataFolder: string): HolderNote | null {
  try {
    const note: unknown = JSON.parse(readFileSync(noteFile(dataFolder), "utf8"));
    return isNote(note) ? note : null;
  } catch {
    return null;
  }
}

function isNote(value: unknown): value is HolderNote {
  if (typeof value !== "object" || value === null) return false;
  const { pid, since, address, state } = value as Record<string, unknown>;
  const hasAddress = address === null || typeof address === "string";
  return Number.isInteger(pid) && typeof since === "string" && hasAddress && (state === "running" || state === "stopping");
}
