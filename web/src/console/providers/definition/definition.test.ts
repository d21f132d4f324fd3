import { expect, test } from "vitest";
import { ApiError } from "../../../ui/requests/api.ts";
import { faultsIn, nameIn, parseDefinition, secretsIn, written } from "./definition.ts";

test("only an object is a definition", () => {
  expect(parseDefinition('{"name":"acme"}')).toEqual({ ok: true, definition: { name: "acme" } });
  expect(parseDefinition("[]")).toEqual({ ok: false, why: "It must be an object: { … }.", at: 0 });
  expect(parseDefinition('{\n  "a": 1,\n}')).toMatchObject({ ok: false, at: 10 });
});

test("names and secrets are read only where they are valid", () => {
  expect([nameIn({ name: "acme-2" }), nameIn({ name: "Acme" }), nameIn({})]).toEqual(["acme-2", null, null]);
  expect(secretsIn({ secrets: ["token", 5] })).toEqual(["token"]);
  expect(secretsIn({ connector: "corprail" })).toEqual(["token", "signing_secret", "callback_secret"]);
});

test("a definition is written in the order of the documentation", () => {
  expect(Object.keys(JSON.parse(written({ request: {}, other: 1, secrets: [], name: "acme" })))).toEqual([
    "name",
    "secrets",
    "request",
    "other",
  ]);
});

test("errors of the definition and its secrets are told apart from other errors", () => {
  const refused = (fields: Record<string, string>) => new ApiError(422, "invalid_request", "Check it.", null, fields);
  expect(faultsIn(refused({ "definition.base_url": "Must be https.", "secrets.token": "Missing." }))).toEqual({
    places: [["base_url", "Must be https."]],
    secrets: { token: "Missing." },
  });
  expect(faultsIn(refused({ reason: "Enter a reason." }))).toBeNull();
  expect(faultsIn(new Error("x"))).toBeNull();
});
