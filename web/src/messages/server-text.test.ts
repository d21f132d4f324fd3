import { expect, test } from "vitest";
import { partsOf } from "./server-text.ts";

test("what stands at each placeholder is as short as possible, but not empty", () => {
  expect(partsOf(["The ", "name", " of ", "place", "."], "The owner of all of it.")).toEqual({ name: "owner", place: "all of it" });
  expect(partsOf(["", "why", " Sign in."], "Wrong. Sign in.")).toEqual({ why: "Wrong." });
  expect(partsOf(["Wait ", "time", ""], "Wait ")).toBeNull();
  expect(partsOf(["Wait ", "time", ""], "Go on")).toBeNull();
  expect(partsOf(["", "one", "", "other", ""], "abc")).toEqual({ one: "a", other: "bc" });
});

test("a text that almost fits is compared in linear time", () => {
  // With a pattern for the whole sentence, this takes hours.
  const text = "a ".repeat(500_000);
  expect(partsOf(["a", "first", " ", "second", " ", "third", "!"], text)).toBeNull();
});
