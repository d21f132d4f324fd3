import { expect, test } from "vitest";
import { patternFault } from "./pattern-fault.ts";

function faultOf({ source, flags }: RegExp): string | null {
  return patternFault(source, flags);
}

// Each of these took more than linear time here before it was replaced, or is a textbook case.
test.each([
  /a+b?a+$/,
  /\s+$/,
  /^[\t ]+|[\t ]+$/g,
  /^application\/json(?:\s*;\s*charset\s*=\s*(?:"utf-8"|utf-8))?\s*;?\s*$/i,
  /%.*$/,
  /\.?0+$/,
  /(^|&)([^=&]*(?:otp|token)[^=&]*|pid)=[^&]+/g,
  /\/+$/,
  /\?(?![^{}]*\})/,
  /^\s*--.*$/gm,
  /(\w+)="((?:[^"\\]|\\.)*)"/g,
  /<(\w+)>(.*?)<\/\1>/gs,
  /^(\d+)\s*,?\s*(\d+)$/,
  /\d{0,1000}\d{0,1000}x/,
])("%s takes quadratic time", (pattern) => {
  expect(faultOf(pattern)).toBe("polynomial");
});

test.each([/^(a+)+$/, /(\s*\w*)*$/, /^(?:a|a)*$/, /^(?:a|ab|b)*c/, /^(?:[ab]*)*\d/, /^(?:\w+\s?)*$/, /(?=(?:x+)+y)x/])(
  "%s takes exponential time",
  (pattern) => {
    expect(faultOf(pattern)).toBe("exponential");
  },
);

test("a match that reads further than it is long takes quadratic time where every match is wanted", () => {
  expect(faultOf(/\[(?:[^\]\\]|\\.)*\]|./gs)).toBe("polynomial");
  expect(faultOf(/\[(?:[^\]\\]|\\.)*\]?|./gs)).toBeNull();
});

test("a sticky pattern is tried where the match before ends", () => {
  expect(faultOf(/"[^"]*x/y)).toBeNull();
  expect(faultOf(/a(?:.*b)?/y)).toBe("polynomial");
});

test("what cannot be analysed is a fault", () => {
  expect(faultOf(/(?<=a+)b/)).toMatch(/^cannot be analysed/);
});

test.each([
  /^[a-z0-9_-]+$/,
  /[^/]+/g,
  /"[^"]*"/g,
  /"(?:[^"]|"")*"/g,
  /<!--[\s\S]*?(?:-->|$)/g,
  /^\s+|(?<!\s)\s+$/g,
  /(?<![\w:.-])([\w:.-]+)(\s*=\s*)("[^"]*"|'[^']*')/g,
  /[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/i,
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/,
  /\b\w+\b/gu,
  /^.*$/gm,
])("%s takes linear time", (pattern) => {
  expect(faultOf(pattern)).toBeNull();
});
