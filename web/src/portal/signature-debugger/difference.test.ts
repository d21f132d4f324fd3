import { expect, test } from "vitest";
import { splitAtDifference, visible } from "./difference.ts";

test("two lines are cut at their first and last difference", () => {
  expect(splitAtDifference("/api/corp/v1/recharge", "/api/corp/v2/recharge")).toEqual({
    left: { before: "/api/corp/v", changed: "1", after: "/recharge" },
    right: { before: "/api/corp/v", changed: "2", after: "/recharge" },
    at: 12,
  });
});

test("a repeated end is not counted twice", () => {
  const { left, right } = splitAtDifference("aa", "aaa");
  expect([left.changed, right.changed]).toEqual(["", "a"]);
});

test("a character outside the basic plane is not cut in half", () => {
  expect(splitAtDifference("a😀b", "a😁b").left.changed).toBe("😀");
});

test("characters that cannot be seen are shown", () => {
  expect(visible("a b\tc\r\u00a0")).toBe("a␣b␉c␍⍽");
});
