import { Script } from "node:vm";
import { expect, test, vi } from "vitest";
import { boundedMatch } from "./bounded-match.ts";

test("a pattern is found with its groups, or not", () => {
  expect(boundedMatch(/^(?<status>[A-Z]+),/u, "SUCCESS,1")).toMatchObject({ groups: { status: "SUCCESS" } });
  expect(boundedMatch(/^(?<status>[A-Z]+),/u, "success,1")).toBeNull();
});

test("a pattern that would take for ever is broken off, and the next one is not touched by that", () => {
  expect(boundedMatch(/(?<status>(a+)+)b/u, "a".repeat(60))).toBe("too long");
  expect(boundedMatch(/(?<status>a+)b/u, "aab")).toMatchObject({ groups: { status: "aa" } });
});

test("a match that gets no processor in its time is tried again", () => {
  const run = vi.spyOn(Script.prototype, "runInContext").mockImplementationOnce(() => {
    throw Object.assign(new Error("timed out"), { code: "ERR_SCRIPT_EXECUTION_TIMEOUT" });
  });
  expect(boundedMatch(/^(?<status>[A-Z]+),/u, "SUCCESS,1")).toMatchObject({ groups: { status: "SUCCESS" } });
  // On a busy machine the second attempt may get no processor either.
  expect(run.mock.calls.length).toBeGreaterThan(1);
  run.mockRestore();
});
