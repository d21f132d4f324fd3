import { expect, test } from "vitest";
import { counted } from "./counted.ts";

test("one of a thing is singular, any other number is plural, also as a bigint or a text", () => {
  expect([0, 1, 2].map((count) => counted(count, "warning"))).toEqual(["0 warnings", "1 warning", "2 warnings"]);
  expect([1n, 2n].map((count) => counted(count, "entry", "entries"))).toEqual(["1 entry", "2 entries"]);
  expect(counted("1", "entry", "entries")).toBe("1 entry");
});
