import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { operationNames, skeletonOf } from "./add-operation.ts";
import { readTree } from "./json-tree.ts";
import { outlineOf } from "./outline.ts";
import type { Schema } from "./schema.ts";

const read = (path: string) => readFileSync(new URL(`../../../../../${path}`, import.meta.url), "utf8");
const SCHEMA = JSON.parse(read("contract/provider-description.schema.json")) as Schema;
const RUPEELINK = read("docs/examples/providers/rupeelink.json");

test("the outline has every section with its place and its faults", () => {
  const tree = readTree(RUPEELINK);
  const faults = ["base_url", "colour", "login.token", "operations.recharge.pay.request.url", "operations", "callbacks[0].auth"];
  const { sections, services } = outlineOf(SCHEMA, tree, faults);
  expect(sections.map(({ label, faults }) => [label, faults])).toEqual([
    ["Connection", 3],
    ["Secrets", 0],
    ["Codes", 0],
    ["Amounts and references", 0],
    ["Login", 1],
    ["Signatures", 0],
    ["Answers", 0],
    ["Limits and polling", 0],
    ["Callbacks", 1],
  ]);
  expect(RUPEELINK.slice(sections[4]?.at ?? 0)).toMatch(/^"login"/);
  expect(services).toMatchObject([
    { service: "recharge", operations: [{ label: "recharge.pay", faults: 1 }], missing: [] },
    { service: "other", operations: [{ label: "plans", faults: 0 }], missing: [] },
  ]);
  expect(RUPEELINK.slice(services[0]?.operations[0]?.at ?? 0)).toMatch(/^"recharge\.pay"/);
});

test("a service says which operations it lacks to be routable", () => {
  const tree = readTree('{ "operations": { "bills.pay": {}, "otp.send": {}, "transfers.send": {}, "transfers.banks": {} } }');
  const { sections, services } = outlineOf(SCHEMA, tree, []);
  expect(sections.every(({ at }) => at === null)).toBe(true);
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
