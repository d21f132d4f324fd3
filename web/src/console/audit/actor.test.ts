import { expect, test } from "vitest";
import { actorOf, UNMATCHED, unnamed } from "./actor.ts";

const KNOWN = [
  { actor: "staff:U1", name: "Asha Rao" },
  { actor: "staff:U2", name: "Twin" },
  { actor: "staff:U3", name: "Twin" },
  { actor: "system", name: "The service" },
];

test.each([
  ["a name, however it is written", " asha rao ", "staff:U1"],
  ["what is not a person", "The service", "system"],
  ["an actor as the log writes it", "system", "system"],
  ["somebody who is not in the list", "user:U9", "user:U9"],
  ["nobody", "  ", ""],
])("%s is found", (_, text, actor) => expect(actorOf(text, KNOWN)).toBe(actor));

test.each(["Twin", "Asha", "staff:", "U1"])("%s is not guessed", (text) => expect(actorOf(text, KNOWN)).toBe(UNMATCHED));

test("an actor without a known name is called by its kind and id", () => {
  expect(["user:U9", "key:K1", "system"].map(unnamed)).toEqual(["Member U9", "Operator key K1", "system"]);
});
