import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { insertionOf, operationNames, skeletonOf } from "./add-operation.ts";
import { readTree } from "./json-tree.ts";
import { outlineOf } from "./outline.ts";
import type { Schema } from "./schema.ts";

const read = (path: string) => readFileSync(new URL(`../../../../../${path}`, import.meta.url), "utf8");
const SCHEMA = JSON.parse(read("contract/provider-description.schema.json")) as Schema;
const RUPEELINK = read("docs/examples/providers/rupeelink.json");

test("the outline has every section with its place and its faults", () => {
  const tree = readTree(RUPEELINK);
  const faults = ["base_url", "colour", "login.token", "operations.recharge.pay.request.url", "operations", "callbacks[0].auth"];
  const { sections, services } = outlineOf(tree, faults);
  expect(sections.map(({ label, faults }) => [label, faults])).toEqual([
    ["General", 3],
    ["Secrets", 0],
    ["Codes", 0],
    ["Login", 1],
    ["Callbacks", 1],
  ]);
  expect(RUPEELINK.slice(sections[3]?.at ?? 0)).toMatch(/^"login"/);
  expect(services).toMatchObject([
    { service: "recharge", operations: [{ label: "recharge.pay", faults: 1 }], missing: [] },
    { service: "other", operations: [{ label: "plans", faults: 0 }], missing: [] },
  ]);
  expect(RUPEELINK.slice(services[0]?.operations[0]?.at ?? 0)).toMatch(/^"recharge\.pay"/);
});

test("a service says which operations it lacks to be routable", () => {
  const tree = readTree('{ "operations": { "bills.pay": {}, "otp.send": {}, "transfers.send": {}, "transfers.banks": {} } }');
  const { sections, services } = outlineOf(tree, []);
  expect(sections.slice(1).every(({ at }) => at === null)).toBe(true);
  expect(services.map(({ service, missing }) => [service, missing])).toEqual([
    ["bills", ["bills.billers", "bills.fetch"]],
    ["transfers", []],
    ["other", []],
  ]);
});

test("every operation of the schema has a skeleton: a transaction with its status, a query with its value", () => {
  for (const name of operationNames(SCHEMA)) expect(skeletonOf(SCHEMA, name)).toHaveProperty("request.url");
  expect(skeletonOf(SCHEMA, "bills.fetch")).toEqual({ request: { url: "/fetch" }, value: {} });
  expect(skeletonOf(SCHEMA, "recharge.pay")).toMatchObject({
    request: { url: "/pay", query: { ref: "{reference}" } },
    outcome: [{ means: "success" }, { means: "declined" }, { means: "pending" }],
    status: { outcome: [{ means: "success" }, { means: "declined" }, { means: "pending" }, { means: "not_found" }] },
  });
});

test.each(["{}", '{ "version": 2 }', '{ "operations": {} }', '{ "operations": { "bills.pay": { "a": 1 } }, "callbacks": [] }'])(
  "an operation is added to %s",
  (text) => {
    const change = insertionOf(readTree(text), "recharge.pay", { request: { url: "/pay" } });
    if (change === null) throw new Error("There is no place for it.");
    const after = JSON.parse(text.slice(0, change.from) + change.insert + text.slice(change.to));
    const before = JSON.parse(text);
    expect(after).toEqual({ ...before, operations: { ...before.operations, "recharge.pay": { request: { url: "/pay" } } } });
  },
);

test("text that is no object has no place for an operation", () => {
  for (const text of ["", "[]", '{ "operations": 5 }']) expect(insertionOf(readTree(text), "recharge.pay", {})).toBeNull();
});
