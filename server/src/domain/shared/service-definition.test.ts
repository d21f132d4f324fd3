import { expect, test } from "vitest";
import { isSignedService, serviceDefinition } from "./service-definition.ts";

test("a service is signed and has no daily limit unless it is defined otherwise", () => {
  expect(serviceDefinition("recharge")).toEqual({ signing: "optional", hasDailyLimit: true });
  for (const service of ["bills", "transfers", "bus", "aeps", "giftcards", "constructor", ""]) {
    expect(serviceDefinition(service)).toEqual({ signing: "required", hasDailyLimit: false });
    expect(isSignedService(service)).toBe(true);
  }
});
