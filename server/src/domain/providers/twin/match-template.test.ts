import { expect, test } from "vitest";
import { defined, JSON_SPOKEN } from "../testing/definitions.ts";
import { type Matcher, matchPath, matchText } from "./match-template.ts";

function matcher(): Matcher {
  return { definition: defined(JSON_SPOKEN.describe("https://provider.example")), found: new Map(), score: 0 };
}

test("the value of each placeholder is as short as possible", () => {
  const reading = matcher();
  expect(matchText(reading, "id={reference};to={target}", "id=R1;to=9;to=8")).toBe(true);
  expect([...reading.found]).toEqual([
    ["reference", "R1"],
    ["target", "9;to=8"],
  ]);
  expect(matchText(matcher(), "id={reference};", "id=R1")).toBe(false);
  expect(matchText(matcher(), "ping", "ping")).toBe(true);
  expect(matchText(matcher(), "ping", "pings")).toBe(false);
});

test("a value in a path has no slash", () => {
  const asIs = (value: string) => value;
  expect(matchPath(matcher(), "/orders/{reference}/status", "/orders/R1/status", asIs)).toBe(true);
  expect(matchPath(matcher(), "/orders/{reference}/status", "/orders/R1/more/status", asIs)).toBe(false);
});

test("a text that almost fits is compared in linear time", () => {
  // With a pattern for the whole template, this takes hours.
  const text = "a,".repeat(500_000);
  expect(matchText(matcher(), "a{reference},{target},{operator},{circle};", text)).toBe(false);
});
