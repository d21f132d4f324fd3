/** Why the database did not do what it was asked. Anything else is a fault of the statement or of this program. */
export type DatabaseTrouble = "away" | "read only" | "disk full" | "overloaded" | "locked" | "too slow";

// Class 08, 57P0x: the connection or the server went away. The rest are the names that Node and the driver have for that.
const AWAY = /^(?:08...|57P0[1-5]|CONNECTION_\w+|CONNECT_TIMEOUT|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

const BY_CODE: Readonly<Record<string, DatabaseTrouble>> = {
  "25006": "read only",
  // Refused while connecting: the role or its password, a database that is not there or takes no connections.
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
  // The disk cannot be read or written, for another reason than its size.
  "58030": "away",
};

/** Null when the error does not come from the state that the database is in. */
export function databaseTrouble(error: unknown): DatabaseTrouble | null {
  const code = codeOf(error);
  return AWAY.test(code) ? "away" : (BY_CODE[code] ?? null);
}

/** The database did not take it and will take the same later: it is away, read-only, full, or out of connections. */
export function isOutage(error: unknown): boolean {
  const trouble = databaseTrouble(error);
  return trouble !== null && trouble !== "locked" && trouble !== "too slow";
}

const NO_SPACE = /No space left on device/;

/** Whether an error, or what caused it, says that a disk is full: the database's, or the one of our own files. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return databaseTrouble(error) === "disk full" || codeOf(error) === "ENOSPC" || NO_SPACE.test(error.message) || isDiskFull(error.cause);
}

/** Another session held a lock on a row for longer than this one was allowed to wait. */
export function isLocked(error: unknown): boolean {
  return databaseTrouble(error) === "locked";
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** An error of our own with a code that says what it is, like those of Node and the driver. */
export function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
