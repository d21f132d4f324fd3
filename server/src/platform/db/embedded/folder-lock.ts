import { createHash, randomBytes } from "node:crypto";
import { renameSync, rmSync, statSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "./failures.ts";

/** A lock held by a listening socket. The kernel releases it when the process ends, so it cannot become stale. */
export type FolderLock = { readonly release: () => Promise<void> };

const SETTLE_MILLISECONDS = 200;

/** Locks the folder; null if another process holds it. */
export async function tryLockFolder(folder: string): Promise<FolderLock | null> {
  // Device and inode identify the folder, so that two paths to it share one lock.
  const { dev, ino } = statSync(folder, { bigint: true });
  const digest = createHash("sha256").update(`${dev}:${ino}`).digest("hex");
  if (process.platform !== "linux") return trySocketFile(join(tmpdir(), `corprail-${digest.slice(0, 16)}`));
  const server = await listen(`\0corprail-${digest}`);
  return server === null ? null : { release: () => close(server) };
}

/**
 * Without abstract socket names the socket is a file that outlives its process, so a connection shows whether it is
 * alive. Our socket is bound under another name first, because closing a socket removes the name it was bound to.
 */
export async function trySocketFile(path: string): Promise<FolderLock | null> {
  if (await answers(path)) return null;
  const own = `${path}.${randomBytes(4).toString("hex")}`;
  const server = await listen(own);
  if (server === null) return null;
  const inode = inodeOf(own);
  renameSync(own, path);
  // Two concurrent starts may both have found no holder. The later rename wins, and the earlier start notices it here.
  await delay(SETTLE_MILLISECONDS);
  const isOurs = () => inodeOf(path) === inode;
  if (isOurs()) {
    return {
      release: () => {
        if (isOurs()) rmSync(path, { force: true });
        return close(server);
      },
    };
  }
  await close(server);
  return null;
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

function listen(path: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", (error) => (errorCode(error) === "EADDRINUSE" ? resolve(null) : reject(error)));
    server.listen({ path, exclusive: true }, () => resolve(server.unref()));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((done) => server.close(() => done()));
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
