import { expect, test } from "vitest";
import { costFault } from "./pattern-cost.ts";

test.each([
  "^(?<status>[A-Z ]+),(?<reference>[^,]*),(?<operator_ref>[^,]*),(?<message>.*)$",
  "^(?<status>OK|FAIL) (?:ref=(?<reference>\\d+))?",
  "^(?:\\d{4})+ (?<status>[(a+)+]+)$",
  "^(?<status>\\w+)\\(x+\\)+$",
])("%s is accepted", (pattern) => {
  expect(costFault(pattern)).toBeNull();
});

test.each([
  "(?<status>(a+)+)b",
  "(?<status>(?:a|a)*)b",
  "(?<status>(?:a{1,9}){2,})b",
  "((?<status>a?)){30}b",
  "(?<status>((ab*)c)+)",
  "(?<status>a+)\\1",
  "(?<status>a+)\\k<status>",
  "(?=a+)(?<status>a)",
  "(?<!a+)(?<status>a)",
])("%s is refused", (pattern) => {
  expect(costFault(pattern)).toMatch(/^Must not/);
});
