import { expect, test } from "vitest";
import { databaseTrouble, isDiskFull, isLocked, isOutage, isSilent } from "./database-errors.ts";

const failure = (code: string) => Object.assign(new Error("failed"), { code });

test.each([
  ["ECONNREFUSED", "away"],
  ["ECONNRESET", "away"],
  ["CONNECT_TIMEOUT", "away"],
  ["CONNECTION_CLOSED", "away"],
  ["08006", "away"],
  ["57P01", "away"],
  ["57P03", "away"],
  ["28P01", "away"],
  ["3D000", "away"],
  ["55000", "away"],
  ["25006", "read only"],
  ["53100", "disk full"],
  ["58030", "away"],
  ["53300", "overloaded"],
  ["55P03", "locked"],
  ["57014", "too slow"],
  ["23505", null],
  ["40P01", null],
])("the error code %s means: %s", (code, trouble) => {
  expect(databaseTrouble(failure(code))).toBe(trouble);
  expect(isLocked(failure(code))).toBe(trouble === "locked");
  expect(isOutage(failure(code))).toBe(trouble !== null && trouble !== "locked" && trouble !== "too slow");
});

test("an error without a code is not a database error", () => {
  expect(databaseTrouble(new Error("57P01"))).toBeNull();
  expect(databaseTrouble("57P01")).toBeNull();
});

test("a full disk is recognised by PostgreSQL's code, the system's code, PostgreSQL's last output and an error's cause", () => {
  const lastWords = new Error('PostgreSQL ended: FATAL: could not write lock file "postmaster.pid": No space left on device');
  for (const full of [failure("53100"), failure("ENOSPC"), lastWords, new Error("not started", { cause: failure("ENOSPC") })])
    expect(isDiskFull(full)).toBe(true);
  for (const other of [failure("58030"), failure("EACCES"), new Error("no space"), "ENOSPC", null]) expect(isDiskFull(other)).toBe(false);
});

test("a database that accepts no session in time is silent, and one that refuses is not", () => {
  for (const silent of [failure("CONNECT_TIMEOUT"), failure("57P03"), new Error("not started", { cause: failure("CONNECT_TIMEOUT") })])
    expect(isSilent(silent)).toBe(true);
  for (const other of [failure("ECONNREFUSED"), failure("28P01"), new Error("CONNECT_TIMEOUT"), "CONNECT_TIMEOUT", null])
    expect(isSilent(other)).toBe(false);
});
