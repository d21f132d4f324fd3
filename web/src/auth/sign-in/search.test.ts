import { expect, test } from "vitest";
import { readSignIn } from "./search.ts";

test("after signing in only a path of this site is opened", () => {
  expect(readSignIn({ next: "/transactions?status=pending" })).toEqual({ next: "/transactions?status=pending" });
});

test.each(["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "", 5])("%j is not opened", (next) => {
  const search = readSignIn({ next });
  expect(search).toEqual({ next: undefined });
  expect("next" in search).toBe(true);
});
