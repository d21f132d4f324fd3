import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { DataFolderHeld, type Holder } from "./failures.ts";
import { type FolderLock, tryLockFolder } from "./folder-lock.ts";
import { writePrivateFile } from "./private-file.ts";

export type Hold = {
  /** Synchronous, so that a signal handler can call it first. */
  readonly markStopping: () => void;
  readonly release: () => Promise<void>;
};

export type WaitLimits = { readonly runningMilliseconds: number; readonly stoppingMilliseconds: number };

// A holder still marked as running may have received a stop signal a moment ago.
const WAIT_LIMITS: WaitLimits = { runningMilliseconds: 3_000, stoppingMilliseconds: 15_000 };

/** Locks the data folder for this process. The kernel releases it when the process ends, however it ends. */
export async function holdFolder(dataFolder: string, address: string | null, limits = WAIT_LIMITS): Promise<Hold> {
  const lock = await waitForLock(dataFolder, limits);
  const note: HolderNote = { pid: process.pid, since: new Date().toISOString(), address, state: "running" };
  writeHolder(dataFolder, note);
  let released = false;
  return {
    markStopping: () => {
      if (!released) writeHolder(dataFolder, { ...note, state: "stopping" });
    },
    release: async () => {
      if (released) return;
      released = true;
      removeHolder(dataFolder);
      await lock.release();
    },
  };
}

async function waitForLock(dataFolder: string, limits: WaitLimits): Promise<FolderLock> {
  const began = performance.now();
  let limit = limits.runningMilliseconds;
  for (;;) {
    const lock = await tryLockFolder(dataFolder);
    if (lock !== null) return lock;
    const holder = readHolder(dataFolder);
    // Never shortened again, because a stopping holder removes its note a moment before the lock.
    if (holder?.state === "stopping") limit = limits.stoppingMilliseconds;
    if (performance.now() - began >= limit) throw new DataFolderHeld(dataFolder, holder);
    await delay(100);
  }
}

type HolderNote = Holder & { readonly state: "running" | "stopping" };

const noteFile = (dataFolder: string): string => join(dataFolder, "holder.json");

// The note is only informative; the lock decides. So a full disk must not prevent a start or a stop.
function writeHolder(dataFolder: string, note: HolderNote): void {
  try {
    writePrivateFile(noteFile(dataFolder), `${JSON.stringify(note)}\n`);
  } catch {}
}

function removeHolder(dataFolder: string): void {
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
