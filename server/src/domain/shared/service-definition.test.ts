import { expect, test } from "vitest";
import { CATALOGUE_SERVICE, isSignedService, REFUNDABLE_SERVICES, serviceDefinition } from "./service-definition.ts";

const SIGNED = { signing: "required", hasDailyLimit: false, operators: "provider" } as const;

test("a service is signed and has no daily limit unless it is defined otherwise", () => {
  expect(serviceDefinition("recharge")).toMatchObject({ signing: "optional", hasDailyLimit: true, operators: "catalogue" });
  for (const service of ["bills", "transfers", "bus", "aeps", "giftcards", "constructor", ""]) {
    expect(serviceDefinition(service)).toMatchObject(SIGNED);
    expect(isSignedService(service)).toBe(true);
  }
});

test("the catalogue's operators belong to exactly one service", () => {
  const listed = ["recharge", "bills", "transfers", "bus", "aeps", "giftcards", "constructor"].filter(
    (service) => serviceDefinition(service).operators === "catalogue",
  );
  expect(listed).toEqual([CATALOGUE_SERVICE]);
});

test("only money transfers can be refunded", () => {
  const refundable = ["recharge", "bills", "transfers", "bus", "aeps", "giftcards", "constructor"].filter(
    (service) => serviceDefinition(service).isRefundable,
  );
  expect(refundable).toEqual(["transfers"]);
  expect(REFUNDABLE_SERVICES).toEqual(refundable);
});
