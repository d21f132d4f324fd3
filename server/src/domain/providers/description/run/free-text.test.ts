import { expect, test } from "vitest";
import { NEVER, providerRequest } from "../../testing/requests.ts";
import { describedProvider } from "../testing/provider.ts";

// Providers that answer with JSON, and with a line of text when they refuse.
const OUTCOME = [
  { when: { status: "OK" }, means: "success" },
  { when: { $http: [200, 500], $text: { starts_with: "Error:" } }, means: "declined" },
  { when: { $text: { contains: "DONE" } }, means: "success" },
];
const OPERATIONS = {
  "recharge.pay": {
    request: { url: "/pay", query: { ref: "{reference}", key: "{secret.key}" } },
    outcome: OUTCOME,
    status: { request: { url: "/status", query: { ref: "{reference}" } }, outcome: OUTCOME },
  },
};

test.each([
  ["a text that a rule covers", 200, "Error: no such number", "declined"],
  ["the same with another HTTP status that the rule names", 500, "Error: no such number", "declined"],
  ["an HTTP status that the rule does not name", 502, "Error: bad gateway", "unknown"],
  ["a text that no rule covers", 200, "<html>Error:</html>", "unknown"],
  ["a text that would be a success", 200, "DONE", "unknown"],
  ["JSON that contains the text", 200, '{"words":"Error: DONE"}', "unknown"],
  ["JSON", 200, '{"status":"OK"}', "succeeded"],
])("with %s an answer that should be JSON is read rightly", async (_what, status, body, kind) => {
  const { connector } = await describedProvider({ operations: OPERATIONS }, () => ({ status, body }));
  expect((await connector.send(providerRequest(), NEVER)).kind).toBe(kind);
});

test("a code may depend on the item of a list; without one the request is not written", async () => {
  const { connector, heard } = await describedProvider(
    {
      codes: { genders: { by: "{item.gender}", values: { M: "MALE", F: "FEMALE" } } },
      operations: {
        "bus.block": {
          request: {
            url: "/block",
            headers: { key: "{secret.key}" },
            body: { json: { people: { $each: "passengers", $item: { name: "{item.name}", gender: "{code.genders}" } } } },
          },
          value: { provider_ref: "id" },
        },
      },
    },
    () => ({ body: { id: "B1" } }),
  );
  const person = { seat: "1", title: "Ms", name: "Asha", age: 30, gender: "F" as const, id_type: "", id_number: "", fare: "10" };
  const trip = { reference: "R", trip_id: "T", from: "1", to: "2", date: "2026-01-31", boarding_id: "B", dropping_id: "" };
  const block = (passengers: (typeof person | (Omit<typeof person, "gender"> & { readonly gender: "M" | "O" }))[]) =>
    connector.query("bus.block", { ...trip, mobile: "9876543210", email: "a@b.in", passengers }, NEVER);
  expect((await block([person, { ...person, name: "Ravi", gender: "M" }])).kind).toBe("answered");
  expect(JSON.parse(heard[0]?.body ?? "")).toEqual({
    people: [
      { name: "Asha", gender: "FEMALE" },
      { name: "Ravi", gender: "MALE" },
    ],
  });
  expect(await block([{ ...person, gender: "O" }])).toMatchObject({ kind: "unavailable", why: expect.stringContaining("no code for O") });
});
