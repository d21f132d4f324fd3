import { expect, test } from "vitest";
import { isFailing, responseText, stateLabel } from "./callback.ts";

const WAITING = { state: "waiting", last_error: null, in_flight: false, delivered_at: null } as const;
const FAILED = { ...WAITING, last_error: "The receiver answered 503." } as const;

test("a waiting callback says whether it is being sent, fails or was not tried yet", () => {
  expect([WAITING, FAILED, { ...FAILED, in_flight: true }].map(stateLabel)).toEqual(["Waiting", "Failing, retrying", "Being sent"]);
});

test("a delivered callback that is sent again has not failed", () => {
  const again = { ...WAITING, delivered_at: "2026-11-15 15:21:32" };
  expect([stateLabel(again), isFailing(again), isFailing(FAILED)]).toEqual(["Waiting to be sent again", false, true]);
});

test("other states keep their own label", () => {
  expect(stateLabel({ ...FAILED, state: "parked" })).toBeUndefined();
});

test("a missing status is no response", () => {
  expect([responseText(503), responseText(null)]).toEqual(["HTTP 503", "no response"]);
});
