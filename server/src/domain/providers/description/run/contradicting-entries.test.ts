import { expect, test } from "vitest";
import { NEVER, providerRequest } from "../../testing/requests.ts";
import { describedProvider } from "../testing/provider.ts";

const at = (name: string) => `rows[ref={reference}].${name}`;
const outcome = [
  { when: { [at("status")]: "OK" }, means: "success" },
  { when: { [at("status")]: "NO" }, means: "declined" },
  { when: { ok: true, [at("status")]: { is: "absent" } }, means: "not_found" },
];
const status = {
  request: { url: "/list", query: { ref: "{reference}" } },
  read: { provider_ref: at("id"), operator_ref: at("op") },
  outcome,
};
const pay = {
  request: { url: "/pay", query: { ref: "{reference}" } },
  outcome: [{ when: { status: "OK" }, means: "success" }],
  status,
};

test.each([
  ["that contradict each other", "unknown", [{ status: "NO" }, { status: "OK", op: "OP1" }]],
  ["of which one has no status", "unknown", [{ status: "NO" }, {}]],
  ["that agree", "declined", [{ status: "NO" }, { status: "NO" }]],
  ["of which none has a status", "not_found", [{}, {}]],
  [
    "that agree on a success",
    "succeeded",
    [
      { status: "OK", op: "OP1", id: "A" },
      { status: "OK", op: "OP1", id: "B" },
    ],
  ],
  [
    "that differ in the operator's reference",
    "unknown",
    [
      { status: "OK", op: "OP1" },
      { status: "OK", op: "OP2" },
    ],
  ],
  ["of which there is one", "succeeded", [{ status: "OK", op: "OP1" }]],
  ["of which there is none", "not_found", []],
])("a list with entries of one order %s is %s", async (_what, kind, rows) => {
  const request = providerRequest();
  const { connector } = await describedProvider({ operations: { "recharge.pay": pay } }, () => ({
    body: { ok: true, rows: [{ ref: "OTHER", status: "NO" }, ...rows.map((row) => ({ ref: request.reference, ...row }))] },
  }));
  const found = await connector.ask(request, NEVER);
  expect(found.kind).toBe(kind);
  expect(found).not.toHaveProperty("providerRef", "A");
});
