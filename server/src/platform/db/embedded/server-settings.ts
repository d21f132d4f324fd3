import { statfsSync } from "node:fs";
import { totalmem } from "node:os";

const MEGABYTE = 1024 * 1024;

export type Settings = Readonly<Record<string, string>>;

/** Combines the default settings, the caller's, and the fixed ones, which override the others. */
export function serverSettings(port: number, extra: Settings): Settings {
  return { ...ordinary(), ...extra, ...fixed(port) };
}

function ordinary(): Settings {
  return {
    max_connections: "100",
    // Overrides the cluster's configuration file.
    fsync: "on",
    shared_buffers: sharedBuffers(usableMemory()),
    dynamic_shared_memory_type: sharedMemoryType(),
    huge_pages: "off",
    // The embedded build only has pglz, which took a quarter of the writer's CPU with large indexes, because every page
    // that changes for the first time after a checkpoint is logged in full.
    wal_compression: "off",
    max_wal_size: "2GB",
    // PostgreSQL uses its WAL files again, and keeps at least so many of them. A commit that must make a new one takes 15 to 30 ms.
    min_wal_size: "512MB",
    checkpoint_timeout: "15min",
    jit: "off",
    timezone: "UTC",
    log_timezone: "UTC",
  };
}

function fixed(port: number): Settings {
  return {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    // The service reads standard error and waits for the line that reports readiness.
    logging_collector: "off",
    log_destination: "stderr",
    log_min_messages: "warning",
    log_line_prefix: "",
    // Statements and details contain values, which must not reach the log.
    log_error_verbosity: "terse",
    log_min_error_statement: "panic",
  };
}

// In a container its memory limit counts, not the machine's memory.
function usableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

export function sharedBuffers(memoryBytes: number): string {
  if (memoryBytes >= 2048 * MEGABYTE) return "256MB";
  return memoryBytes >= 1024 * MEGABYTE ? "128MB" : "32MB";
}

// Containers often limit /dev/shm to 64 MB, which one parallel query can fill.
function sharedMemoryType(): string {
  if (process.platform !== "linux") return "posix";
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize >= 128 * MEGABYTE ? "posix" : "mmap";
  } catch {
    return "mmap";
  }
}
