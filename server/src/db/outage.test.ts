import { expect, test } from "vitest";
import { databaseTrouble, isLocked, isOutage } from "./outage.ts";

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
  ["53300", "overloaded"],
  ["55P03", "locked"],
  ["57014", "too slow"],
  ["23505", null],
  ["40P01", null],
])("the code %s says that the database is: %s", (code, trouble) => {
  expect(databaseTrouble(failure(code))).toBe(trouble);
  expect(isLocked(failure(code))).toBe(trouble === "locked");
  expect(isOutage(failure(code))).toBe(trouble !== null && trouble !== "locked" && trouble !== "too slow");
});

test("an error without a code is nothing of the database's", () => {
  expect(databaseTrouble(new Error("57P01"))).toBeNull();
  expect(databaseTrouble("57P01")).toBeNull();
});
