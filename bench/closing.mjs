import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";

const PATIENCE_MILLISECONDS = 12_000;
const closers = { processes: [], database: [], folders: [] };
let closing = null;

/**
 * Called when the bench ends, however it ends: processes first, all at once, and folders last. Register it before anything
 * is waited for, so that a signal in between leaves nothing behind.
 *
 * @param {keyof typeof closers} kind @param {() => unknown} close may be called more than once
 */
export function atEnd(kind, close) {
  closers[kind].push(close);
  if (closing !== null) throw new Error("The bench is ending.");
}

/** A folder that is gone when the bench is. */
export function temporaryFolder(prefix) {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  atEnd("folders", () => rm(folder, { recursive: true, force: true }));
  return folder;
}

export function closeAll() {
  closing ??= closeEach();
  return closing;
}

/** Also where an error is nobody's: what was started must not outlive us. */
export function closeOnSignals() {
  process.on("uncaughtException", (error) => {
    if (closing === null) process.stderr.write(`${error?.stack ?? error}\n`);
    void closeAll().then(() => process.exit(1));
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => {
      if (closing === null) process.stderr.write(`\n${signal}: stopping what was started\n`);
      void closeAll().then(() => process.exit(128 + constants.signals[signal]));
    });
}

export function isClosing() {
  return closing !== null;
}

/** Asks a child process to end, by `ask`, and makes it when it does not. */
export async function endChild(child, ask = () => child.kill("SIGTERM")) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const impatient = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MILLISECONDS);
  ask();
  await ended;
  clearTimeout(impatient);
}

async function closeEach() {
  for (;;) {
    // What is opened meanwhile is closed too, before what it needs.
    const left = Object.values(closers).find((some) => some.length > 0);
    if (left === undefined) return;
    await Promise.all(left.splice(0).map(closeOne));
  }
}

async function closeOne(close) {
  try {
    await close();
  } catch (error) {
    process.stderr.write(`${error?.stack ?? error}\n`);
  }
}
