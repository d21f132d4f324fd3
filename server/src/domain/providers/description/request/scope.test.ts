import { expect, test } from "vitest";
import { defined } from "../../testing/definitions.ts";
import { CallValues } from "./scope.ts";

function callValues(): CallValues {
  let made = 0;
  return new CallValues({
    definition: defined({
      ...{ version: 2, name: "acme", base_url: "https://acme.example", secrets: ["key"], constants: { unit: "INR" } },
      computed: { nonce: { kind: "random", bytes: 4, output: "hex" } },
      operations: {
        "recharge.pay": {
          request: { url: "/pay", query: { key: "{secret.key}", unit: "{constant.unit}", nonce: "{computed.nonce}", ref: "{reference}" } },
          outcome: [{ when: { status: "OK" }, means: "success" }],
          status: { request: { url: "/status", query: { ref: "{reference}" } }, outcome: [{ when: { status: "OK" }, means: "success" }] },
        },
      },
    }),
    secrets: { key: "ours" },
    given: (name) => (name === "details.otp" ? "4711" : undefined),
    saved: new Map([["step.first.id", "saved"]]),
    token: null,
    page: new Map([["number", "2"]]),
    now: 1_790_000_000_000,
    random: { bytes: (count) => Buffer.alloc(count, ++made), uuid: () => `unique-${++made}` },
    checksCircle: false,
  });
}

test("a part of the request has a value only after it was written", () => {
  const values = callValues();
  expect(values.get("request.body")).toBeUndefined();
  values.parts.body = "";
  expect(values.get("request.body")).toBe("");
  for (const name of ["request.constructor", "request.get", "request.unknown"]) expect(values.get(name)).toBeUndefined();
});

test("every group of names has its own values, and other names are the order's", () => {
  const values = callValues();
  const names = ["secret.key", "constant.unit", "step.first.id", "page.number", "details.otp", "token", "secret.other", "constructor.name"];
  expect(names.map((name) => values.get(name))).toEqual(["ours", "INR", "saved", "2", "4711", undefined, undefined, undefined]);
});

test("computed and unique values are made once for a call, and only computed ones are kept out of evidence", () => {
  const values = callValues();
  expect([...values.computed]).toEqual([]);
  expect([values.get("computed.nonce"), values.get("unique_id")]).toEqual(["01010101", "unique-2"]);
  expect([values.get("computed.nonce"), values.get("unique_id")]).toEqual(["01010101", "unique-2"]);
  expect([...values.computed]).toEqual([["nonce", "01010101"]]);
});
