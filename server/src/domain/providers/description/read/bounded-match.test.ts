import { expect, test } from "vitest";
import { boundedMatch } from "./bounded-match.ts";

test("a pattern is found with its groups, or not", () => {
  expect(boundedMatch(/^(?<status>[A-Z]+),/u, "SUCCESS,1")).toMatchObject({ groups: { status: "SUCCESS" } });
  expect(boundedMatch(/^(?<status>[A-Z]+),/u, "success,1")).toBeNull();
});

test("a pattern that would take for ever is broken off, and the next one is not touched by that", () => {
  expect(boundedMatch(/(?<status>(a+)+)b/u, "a".repeat(60))).toBe("too long");
  expect(boundedMatch(/(?<status>a+)b/u, "aab")).toMatchObject({ groups: { status: "aa" } });
});
