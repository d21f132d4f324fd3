import { setTimeout as delay } from "node:timers/promises";
import { DataFolderHeld } from "./failures.ts";
import { type FolderLock, tryLockFolder } from "./folder-lock.ts";
import { type HolderNote, readHolder, removeHolder, writeHolder } from "./holder-note.ts";

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
