import { expect, test } from "vitest";
import { JSON_SPOKEN, XML_SPOKEN } from "../../testing/definitions.ts";
import { readDescription } from "../definition.ts";
import { readSamples } from "./read-samples.ts";

type Operation = Record<string, unknown> & { readonly status: object };
type Described = { readonly operations: { readonly "recharge.pay": Operation } };

/** The description of a test provider, with samples of its one operation. */
function described(samples: object, status: object = {}, spoken = JSON_SPOKEN) {
  const base = spoken.describe("http://127.0.0.1:9") as Described;
  const pay = base.operations["recharge.pay"];
  return { ...base, operations: { "recharge.pay": { ...pay, samples, status: { ...pay.status, samples: status } } } };
}

const says = (status: string, more: object = {}) => ({ body: { data: { ref: "{reference}", status, ...more } } });

function faultsOf(description: object) {
  const read = readDescription(description);
  return read.ok ? [] : read.faults;
}

test("samples that are read as they are filed have no fault, and the reading is given for each", () => {
  const read = readDescription(
    described(
      { success: says("SUCCESS", { opid: "{operator_ref}" }), "declined.other": says("FAILED"), pending: says("PENDING") },
      { not_found: says("NOT_FOUND"), reversed: says("REFUNDED") },
    ),
  );
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  expect(readSamples(read.definition).map(({ path, reading, fault }) => [path, reading.outcome, fault])).toEqual([
    ["operations.recharge.pay.samples.success", "succeeded", null],
    ["operations.recharge.pay.samples.declined.other", "declined", null],
    ["operations.recharge.pay.samples.pending", "pending", null],
    ["operations.recharge.pay.status.samples.not_found", "not_found", null],
    ["operations.recharge.pay.status.samples.reversed", "reversed", null],
  ]);
});

test.each([
  [
    "another result",
    { success: says("FAILED", { opid: "1" }) },
    "success",
    /Is read as declined, not as success: data\.status "FAILED" means/,
  ],
  ["no rule", { declined: says("QUEUED") }, "declined", /Is read as unknown, not as declined: no rule covers/],
  ["another class of decline", { "declined.float": says("FAILED") }, "declined.float", /a decline of the class provider, not float/],
  ["a success without its operator reference", { success: says("SUCCESS") }, "success", /operator reference is missing/],
  ["another reference", { pending: { body: { data: { ref: "X", status: "PENDING" } } } }, "pending", /another reference/],
  ["an HTTP status that no rule names", { pending: { ...says("PENDING"), http: 503 } }, "pending", /Is read as unknown/],
])("a sample with %s is a fault at its place", (_what, samples, name, message) => {
  expect(faultsOf(described(samples))).toEqual([
    { path: `operations.recharge.pay.samples.${name}`, message: expect.stringMatching(message) },
  ]);
});

test("a placeholder that does not exist is a fault at its place", () => {
  expect(faultsOf(described({ pending: says("{state}") }))).toEqual([
    { path: "operations.recharge.pay.samples.pending.body.data.status", message: expect.stringContaining("no placeholder {state}") },
  ]);
});

test("a sample is filed under a result that its operation can have", () => {
  const faults = faultsOf(described({ reversed: says("REFUNDED") }));
  expect(faults).toEqual([expect.objectContaining({ path: expect.stringContaining("operations.recharge.pay.samples") })]);
});

test("values are escaped for the format of the answer", () => {
  const body = '<reply opid="{operator_ref}"><ref>{reference}</ref><status>SUCCESS</status><at>{now|date:dd/MM/yyyy}</at></reply>';
  expect(faultsOf(described({ success: { body } }, {}, XML_SPOKEN))).toEqual([]);
});

test("samples of callbacks are read as callbacks, and of the login as a token", () => {
  const callback = {
    auth: { kind: "key", header: "x-key", secret: "token" },
    reference: "ref",
    outcome: [{ when: { state: "OK" }, means: "success" }],
    samples: { success: { body: { ref: "{reference}", state: "NO" } } },
  };
  const login = { request: { url: "/login" }, token: "access", samples: { success: { body: { token: "{token}" } } } };
  expect(faultsOf({ ...described({}), callbacks: [callback], login, headers: { authorization: "{token}" } })).toEqual([
    { path: "login.samples.success", message: "Is read as refused, not as success: the answer has no token." },
    { path: "callbacks[0].samples.success", message: expect.stringContaining("Is read as refused, not as success") },
  ]);
});

test("the sample continue of a step gives the values that the samples of later steps need", () => {
  const description = (id: string) => ({
    version: 2,
    name: "stepped",
    base_url: "https://a.example",
    read: { format: "json", operator_ref: "op" },
    operations: {
      "recharge.pay": {
        steps: [
          {
            name: "hold",
            request: { url: "/hold", query: { ref: "{reference}" } },
            outcome: [{ when: { id: { is: "present" } }, means: "continue" }],
            save: { id: "id" },
            samples: { "continue.other": { body: { id: "H2" } }, continue: { body: { id: "H1" } } },
          },
          {
            name: "pay",
            request: { url: "/pay", query: { id: "{step.hold.id}", ref: "{reference}" } },
            outcome: [{ when: { "[id={step.hold.id}].state": "PAID" }, means: "success" }],
            samples: { success: { body: { id, state: "PAID", op: "{operator_ref}" } } },
          },
        ],
        status: { request: { url: "/status", query: { ref: "{reference}" } }, outcome: [{ when: { state: "PAID" }, means: "success" }] },
      },
    },
  });
  expect(faultsOf(description("H1"))).toEqual([]);
  expect(faultsOf(description("H2"))).toMatchObject([{ path: "operations.recharge.pay.steps[1].samples.success" }]);
});
