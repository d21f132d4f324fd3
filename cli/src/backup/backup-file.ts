import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream, rmSync } from "node:fs";
import { link, open, rm } from "node:fs/promises";
import { pipeline } from "node:stream";
import { finished } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { BrokenBackup, FIRST_LINE, type Frame, frameBytes, jsonFrame, KINDS, LONGEST_ROWS_BYTES, readFrames } from "./frames.ts";
import type { Header } from "./header.ts";
import type { Table } from "./tables.ts";

export type BackupWriter = {
  readonly header: (header: Header) => Promise<void>;
  readonly table: (table: Table) => Promise<void>;
  readonly rows: (bytes: Buffer) => Promise<void>;
  readonly tableEnd: (rows: number) => Promise<void>;
};

// A higher compression level would be much slower and hardly smaller.
const EFFORT = 3;

/**
 * Writes a backup to a temporary file and renames it when it is complete and synced. An existing file is never replaced,
 * and an incomplete backup never has the final name. Only its owner can read it.
 */
export async function writeBackupFile(path: string, write: (writer: BackupWriter) => Promise<void>): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString("hex")}.part`;
  const stopWatching = removeOnSignal(draft);
  try {
    await writeWhole(draft, write);
    await link(draft, path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST")
      throw new Error(`${path} exists already: choose another name.`);
    throw error;
  } finally {
    await rm(draft, { force: true });
    stopWatching();
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Deletes the temporary file before a signal ends the command. */
function removeOnSignal(draft: string): () => void {
  const stopWatching = () => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
  const end = (signal: NodeJS.Signals) => {
    stopWatching();
    rmSync(draft, { force: true });
    process.stderr.write("\nThe backup was interrupted; nothing was kept.\n");
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, end);
  return stopWatching;
}

async function writeWhole(draft: string, write: (writer: BackupWriter) => Promise<void>): Promise<void> {
  const gzip = createGzip({ level: EFFORT });
  const output = createWriteStream(draft, { flags: "wx", mode: 0o600 });
  const ended = finished(output);
  // The rejection is handled below. Without this, a second one would be unhandled and end the process.
  ended.catch(() => {});
  pipeline(gzip, output, () => {});
  const hash = createHash("sha256");
  const put = async (bytes: Buffer) => {
    hash.update(bytes);
    if (gzip.destroyed) await ended;
    if (!gzip.write(bytes)) await Promise.race([once(gzip, "drain"), ended]);
  };
  await put(Buffer.from(FIRST_LINE, "latin1"));
  await write({
    header: (header) => put(jsonFrame(KINDS.header, header)),
    table: ({ name }) => put(jsonFrame(KINDS.table, name)),
    // A single row may be longer than a frame.
    rows: async (bytes) => {
      for (let at = 0; at < bytes.length; at += LONGEST_ROWS_BYTES)
        await put(frameBytes(KINDS.rows, bytes.subarray(at, at + LONGEST_ROWS_BYTES)));
    },
    tableEnd: (rows) => put(jsonFrame(KINDS.tableEnd, rows)),
  });
  gzip.end(frameBytes(KINDS.end, Buffer.from(hash.digest("hex"), "latin1")));
  await ended;
  await syncToDisk(draft);
}

async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, "r+");
  await file.sync().finally(() => file.close());
}

/** Reads the frames of a backup. Errors of gzip are reported like other damage. */
export async function* readBackupFile(path: string, onBytes: (read: number) => void = () => {}): AsyncGenerator<Frame, void, undefined> {
  const input = createReadStream(path);
  const gunzip = createGunzip();
  pipeline(input, gunzip, () => {});
  try {
    for await (const frame of readFrames(gunzip)) {
      onBytes(input.bytesRead);
      yield frame;
    }
  } catch (error) {
    throw explained(error);
  } finally {
    input.destroy();
    gunzip.destroy();
  }
}

function explained(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "Z_BUF_ERROR") return new BrokenBackup("it ends too early");
  if (code.startsWith("Z_")) return new BrokenBackup("it is damaged, or no Corprail backup");
  return error;
}
