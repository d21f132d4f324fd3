import { expect, test } from "vitest";
import { responseText, stateLabel } from "./callback.ts";

test("a waiting callback says whether it is being sent, fails or was not tried yet", () => {
  const label = (attempts: number, in_flight: boolean) => stateLabel({ state: "waiting", attempts, in_flight });
  expect([label(0, false), label(2, false), label(2, true)]).toEqual(["Waiting", "Failing, retrying", "Being sent"]);
});

test("other states keep their own label", () => {
  expect(stateLabel({ state: "parked", attempts: 3, in_flight: false })).toBeUndefined();
});

test("a missing status is no response", () => {
  expect([responseText(503), responseText(null)]).toEqual(["HTTP 503", "no response"]);
});
