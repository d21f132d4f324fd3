import { expect, test } from "vitest";
import { chosenOf, UNMATCHED } from "./account-choice.ts";

const FOUND = [
  { account_id: "A00000000001", name: "Acme" },
  { account_id: "A00000000002", name: "Twin" },
  { account_id: "A00000000003", name: "Twin" },
];

test("an account is chosen by its id or by a name that only it has", () => {
  expect(chosenOf("A00000000002", FOUND)).toBe("A00000000002");
  expect(chosenOf(" acme ", FOUND)).toBe("A00000000001");
});

test("text that matches nothing, or several accounts, is never all accounts", () => {
  expect(chosenOf("A00000000009", FOUND)).toBe(UNMATCHED);
  expect(chosenOf("Twin", FOUND)).toBe(UNMATCHED);
  expect(chosenOf("Nobody", FOUND)).toBe(UNMATCHED);
});

test("no text chooses none, and an earlier choice needs no lookup", () => {
  expect(chosenOf("  ", FOUND)).toBe("");
  expect(chosenOf("A00000000009", [], "A00000000009")).toBe("A00000000009");
});
