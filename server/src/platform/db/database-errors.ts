/** Conditions of the database that make a statement fail. Other errors are faults of the statement or of this program. */
export type DatabaseTrouble = "away" | "outdated" | "read only" | "disk full" | "overloaded" | "locked" | "too slow";

/** The code of a write to the wallet of an account that has moved to another database. */
export const ACCOUNT_MOVED = "ACCOUNT_MOVED";

// Class 08 and 57P0x: the connection or the server is gone. The rest are codes of Node and the driver for the same.
const AWAY = /^(?:08...|57P0[1-5]|CONNECTION_\w+|CONNECT_TIMEOUT|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

const BY_CODE: Readonly<Record<string, DatabaseTrouble>> = {
  "25006": "read only",
  // No host of the address accepts writes, or the connections were closed because their server became read-only.
  CONNECTION_READ_ONLY: "read only",
  CONNECTION_OUTDATED_SERVER: "outdated",
  ACCOUNT_MOVED: "away",
  // Refused while connecting: wrong role or password, or a database that does not exist or accepts no connections.
  "28000": "away",
  "28P01": "away",
  "3D000": "away",
  "55000": "away",
  "53000": "overloaded",
  "53100": "disk full",
  "53200": "overloaded",
  "53300": "overloaded",
  "55P03": "locked",
  "57014": "too slow",
  // An I/O error of the disk.
  "58030": "away",
};

/** Classifies an error; null if it does not come from the state of the database. */
export function databaseTrouble(error: unknown): DatabaseTrouble | null {
  const code = codeOf(error);
  return BY_CODE[code] ?? (AWAY.test(code) ? "away" : null);
}

/** Whether the same statement can succeed later: the database is away, read-only, full or out of connections. */
export function isOutage(error: unknown): boolean {
  // One account is elsewhere; the database works.
  if (codeOf(error) === ACCOUNT_MOVED) return false;
  const trouble = databaseTrouble(error);
  return trouble !== null && trouble !== "locked" && trouble !== "too slow";
}

const NO_SPACE = /No space left on device/;

/** Whether an error or its cause says that a disk is full, the database's or this machine's. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return databaseTrouble(error) === "disk full" || codeOf(error) === "ENOSPC" || NO_SPACE.test(error.message) || isDiskFull(error.cause);
}

/** Whether an error or its cause says that the database takes no writes, for example because it is a standby. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof Error && (databaseTrouble(error) === "read only" || isReadOnly(error.cause));
}

// 57P03: it starts or recovers.
const SILENT = new Set(["CONNECT_TIMEOUT", "ETIMEDOUT", "57P03"]);

/** Whether an error or its cause says that the database is there but accepts no session yet, or not in time. */
export function isSilent(error: unknown): boolean {
  return error instanceof Error && (SILENT.has(codeOf(error)) || isSilent(error.cause));
}

/** Whether a statement failed because another session held a lock for too long. */
export function isLocked(error: unknown): boolean {
  return databaseTrouble(error) === "locked";
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** Creates an error with a code, like those of Node and the driver. */
export function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
