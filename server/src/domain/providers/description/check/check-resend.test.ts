import { expect, test } from "vitest";
import { systemClock } from "../../../../platform/core/clock.ts";
import { defined } from "../../testing/definitions.ts";
import { testEgress } from "../../testing/egress.ts";
import { createDescriptionConnector } from "../connector.ts";
import { readDescription } from "../definition.ts";

const OUTCOME = [{ when: { s: "OK" }, means: "success" }];
const STATUS = { request: { url: "/status", query: { r: "{reference}" } }, outcome: OUTCOME };

function described(name: string, request: object, more: object = {}, top: object = {}) {
  const operation = { request: { url: "/pay", ...request }, outcome: OUTCOME, status: STATUS, ...more };
  return { version: 2, name: "acme", base_url: "https://a.example", operations: { [name]: operation }, ...top };
}

const IDEMPOTENT = { idempotent: { resend_after_seconds: 60, times: 3 } };

function faultsOf(description: object): readonly string[] {
  const read = readDescription(description);
  return read.ok ? [] : read.faults.map(({ path, message }) => `${path}: ${message}`);
}

test("an operation can be sent again only with values that are stored, and by our reference", () => {
  const query = { r: "{reference}", id: "{details.fetch_provider_ref}" };
  expect(faultsOf(described("bills.pay", { query }, IDEMPOTENT))).toEqual([]);
  const params = {
    method: "POST",
    query,
    body: { json: { p: { $each: "details.params", $item: { n: "{item.name}", v: "{item.value}" } } } },
  };
  expect(faultsOf(described("bills.pay", params))).toEqual([]);
  expect(faultsOf(described("bills.pay", params, IDEMPOTENT))).toEqual([
    "operations.bills.pay.idempotent: An order can only be sent again with what is stored of it. These values are not: {details.params}.",
  ]);
  expect(faultsOf(described("transfers.send", { query: { r: "{reference}", a: "{details.account}" } }, IDEMPOTENT)).join()).toMatch(
    "{details.account}",
  );
  expect(faultsOf(described("bills.pay", { query: { id: "{details.fetch_provider_ref}" } }, IDEMPOTENT)).join()).toMatch(
    "must send {reference}",
  );
});

test("an operation has its own polling, and the description's where it says nothing", async () => {
  const polling = { first_after_seconds: 60, every_seconds: 300, quiet_seconds: 900 };
  const own = { polling: { every_seconds: 10, quiet_seconds: 5 }, ...IDEMPOTENT };
  const request = { url: "/pay", query: { r: "{reference}" } };
  const definition = defined({
    ...described("recharge.pay", request, own, { polling }),
    operations: {
      "recharge.pay": { request, outcome: OUTCOME, status: STATUS, ...own },
      "transfers.send": { request, outcome: OUTCOME, status: STATUS },
    },
  });
  const connector = createDescriptionConnector({ definition, secrets: {}, clock: systemClock(), egress: testEgress() });
  expect(connector.policyOf?.({ service: "recharge", operation: "" })).toEqual({
    polling: { firstMilliseconds: 60_000, everyMilliseconds: 10_000 },
    quietMilliseconds: 5_000,
    resend: { afterMilliseconds: 60_000, times: 3 },
  });
  expect(connector.policyOf?.({ service: "transfers", operation: "" })).toEqual({});
  expect(connector.polling).toEqual({ firstMilliseconds: 60_000, everyMilliseconds: 300_000 });
  await connector.close();
});
