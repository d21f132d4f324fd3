import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type ConfigurationObject, priceObjectName, routeObjectName } from "@corprail/server/domain/configuration/configuration";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { corprailHere } from "../../testing/in-process.ts";
import { compare } from "./compare.ts";
import { readFolder } from "./read-folder.ts";
import { callsOf } from "./requests.ts";
import { exportFiles } from "./write-folder.ts";

const NOW = Date.parse("2026-11-17T12:00:00Z");
const KEEP = { setSecrets: false };

function folderOf(files: Readonly<Record<string, string>> | ReadonlyMap<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "corprail-configuration-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of files instanceof Map ? files : Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/);
const money = fc.integer({ min: 1, max: 10 ** 9 }).map((units) => (units / 10_000).toFixed(4));
const rate = fc.record({
  percent: fc.integer({ min: 0, max: 10_000 }).map((points) => (points / 100).toFixed(2)),
  flat: money,
  min: fc.option(money),
  max: fc.option(money),
});
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as never);

const route = fc
  .record({
    service: fc.oneof(id, fc.constant("*")),
    operator: id,
    provider: id,
    priority: fc.integer({ min: 1, max: 1000 }),
    weight: fc.constant(7),
    enabled: fc.boolean(),
  })
  .map((value): ConfigurationObject => ({ kind: "routes", name: routeObjectName(value), value }));
const price = fc
  .record({ account_id: fc.option(id), service: fc.option(id), operator: fc.constant(null), fee: rate, commission: rate })
  .map((value): ConfigurationObject => ({ kind: "prices", name: priceObjectName(value, null), value, id: "R1" }));
const provider = fc
  .record({
    provider: id,
    enabled: fc.boolean(),
    definition: fc.dictionary(id, json, { maxKeys: 4 }),
    secrets: fc.uniqueArray(id, { maxLength: 3 }),
  })
  .map(
    (value): ConfigurationObject => ({ kind: "providers", name: value.provider, value: { ...value, secrets: value.secrets.toSorted() } }),
  );
const client = fc
  .record({
    account_id: id,
    standing: fc.constantFrom("active", "paused"),
    daily_limit: fc.option(money),
    services: fc.uniqueArray(id),
    callback_url: fc.option(fc.webUrl()),
  })
  .map(
    (value): ConfigurationObject => ({
      kind: "clients",
      name: value.account_id,
      value: { ...value, services: value.services.toSorted() },
      label: "A\nB: #c",
    }),
  );
const objects = fc.uniqueArray(fc.oneof(route, price, provider, client), {
  maxLength: 12,
  selector: ({ kind, name }) => `${kind} ${name.toLowerCase()}`,
});

test("what is exported has no difference to the settings, in YAML and JSON", async () => {
  await fc.assert(
    fc.asyncProperty(objects, fc.constantFrom("yaml" as const, "json" as const), async (live, format) => {
      const folder = folderOf(exportFiles(live, ["providers", "routes", "prices", "clients"], format));
      const { changes, faults } = compare(live, await readFolder(folder, NOW), KEEP);
      expect({ changes, faults }).toEqual({ changes: [], faults: [] });
    }),
    { numRuns: 20 },
  );
});

test("an export has the same bytes whatever the order of fields is", () => {
  const one = (definition: ConfigurationObject["value"]): ConfigurationObject => ({
    kind: "providers",
    name: "p",
    value: { provider: "p", enabled: true, definition, secrets: [] },
  });
  const text = (definition: ConfigurationObject["value"]) => exportFiles([one(definition)], ["providers"], "yaml").get("providers/p.yaml");
  expect(text({ a: 1, b: { c: 2, d: 3 } })).toBe(text({ b: { d: 3, c: 2 }, a: 1 }));
});

test("secrets are exported as references only", () => {
  const value = { provider: "quick-pay", enabled: true, definition: {}, secrets: ["api_key"] };
  const text = exportFiles([{ kind: "providers", name: "quick-pay", value }], ["providers"], "yaml").get("providers/quick-pay.yaml");
  expect(text).toContain("secrets:\n      api_key:\n        env: QUICK_PAY_API_KEY\n");
});

test("every fault is named with its file and place", async () => {
  const folder = folderOf({
    "a.yaml": "kind: routes\nitems:\n  - service: recharge\n    operator: AT\n    provider: p\n    priority: high\n    colour: red\n",
    "b.yaml": "kind: prices\nitems:\n  - fee: { flat: 2.5 }\n---\nkind: nothing\nitems: []\n",
    "c.json": '{ "kind": "operators", "items": [ { "operator": "AT" }, { "operator": "AT" } ] }',
    "d.yaml": "kind: services\nkind: services\nitems: []\n",
    "e.yaml": "kind: providers\nitems:\n  - provider: p\n    definition: {}\n    secrets: { key: sh-secret }\n",
  });
  const message = await readFolder(folder, NOW).then(
    () => "",
    (error: Error) => error.message,
  );
  expect(message).toContain("a.yaml:6:15 items[0].priority:");
  expect(message).toMatch(/a\.yaml:3:5 items\[0\]: .*colour/);
  expect(message).toContain("b.yaml:3:18 items[0].fee.flat:");
  expect(message).toContain("b.yaml:5:7 kind: Must be one of");
  expect(message).toContain("c.json:1:57 operators AT is already at c.json:1:35.");
  expect(message).toMatch(/d\.yaml:2:1 Map keys must be unique/);
  expect(message).toContain("e.yaml:5:21 items[0].secrets.key: Must be { env: NAME } or { file: PATH }, never the secret itself.");
  expect(message).not.toContain("sh-secret");
});

test("a price whose day has come replaces the earlier one of the same scope", async () => {
  const item = (percent: string, day?: string) =>
    `  - service: recharge\n    commission: { percent: "${percent}" }\n${day ? `    valid_from: ${day}\n` : ""}`;
  const folder = folderOf({ "p.yaml": `kind: prices\nitems:\n${item("1")}${item("2", "2026-11-01")}${item("3", "2026-12-01")}` });
  const { objects: read } = await readFolder(folder, NOW);
  expect(read.map(({ name, value }) => [name, (value["commission"] as { percent: string }).percent])).toEqual([
    ["*/recharge/*", "2.00"],
    ["*/recharge/*@2026-12-01", "3.00"],
  ]);
});

test("routes are removed after others are added, but before their provider's description changes", () => {
  const live: ConfigurationObject[] = [
    { kind: "providers", name: "p", value: { provider: "p", enabled: true, definition: { a: 1 }, secrets: [] } },
    ...["p", "q"].map((name): ConfigurationObject => {
      const value = { service: "recharge", operator: "AT", provider: name, priority: 1, weight: 1, enabled: true };
      return { kind: "routes", name: routeObjectName(value), value };
    }),
  ];
  const added = { service: "recharge", operator: "VI", provider: "q", priority: 1, weight: 1, enabled: true };
  const folder = {
    kinds: ["providers", "routes"] as const,
    objects: [
      { kind: "providers" as const, name: "p", value: { provider: "p", enabled: true, definition: { a: 2 }, secrets: {} }, place: "" },
      { kind: "routes" as const, name: routeObjectName(added), value: added, place: "" },
    ],
  };
  expect(compare(live, folder, KEEP).changes.map(({ action, name }) => `${action} ${name}`)).toEqual([
    "remove recharge/AT/p",
    "change p",
    "add recharge/VI/q",
    "remove recharge/AT/q",
  ]);
});

test("a client's services are switched one by one, and a field that the file does not have is left alone", async () => {
  const live: ConfigurationObject = {
    kind: "clients",
    name: "A1",
    value: { account_id: "A1", daily_limit: null, kyc: "pending", services: ["bills", "bus"] },
  };
  const value = { account_id: "A1", daily_limit: "5.0000", services: ["bills", "recharge"] };
  const [change] = compare([live], { kinds: ["clients"], objects: [{ kind: "clients", name: "A1", value, place: "" }] }, KEEP).changes;
  if (!change) throw new Error("There is no change.");
  expect(await callsOf(change, {})).toEqual([
    { path: "/accounts/A1", body: { daily_limit: "5.0000" } },
    { path: "/accounts/A1/services", body: { recharge: true, bus: false } },
  ]);
});

test("a missing secret is named by its variable, and its value never appears", async () => {
  const fields = [{ path: "secrets.key", from: "not set", to: { env: "THE_KEY" } }];
  const change = { kind: "providers", name: "p", action: "change", fields, value: { definition: {} } } as const;
  await expect(callsOf(change, {})).rejects.toThrow("The secret in the variable THE_KEY is missing or empty.");
  expect(await callsOf(change, { THE_KEY: "s" })).toEqual([{ path: "/providers/p", body: { definition: {}, secrets: { key: "s" } } }]);
});

test.each([
  [["plan"], "Name the folder"],
  [["plan", "/nowhere"], "is not a folder"],
  [["plan", "/nowhere", "--drift"], "Leave the folder out"],
])("a plan that cannot be made ends with 1, because 2 means differences: %s", async (given, words) => {
  const { code, stderr } = await corprailHere(given, { CORPRAIL_BASE_URL: "http://127.0.0.1:9", CORPRAIL_OPERATOR_KEY: "opk_x" });
  expect(code).toBe(1);
  expect(stderr).toContain(words);
});

test("the key is not sent over plain http to another machine", async () => {
  const folder = folderOf({ "r.yaml": "kind: routes\nitems: []\n" });
  const { code, stderr } = await corprailHere(["plan", folder], {
    CORPRAIL_BASE_URL: "http://api.example.in",
    CORPRAIL_OPERATOR_KEY: "opk_x",
  });
  expect(code).toBe(1);
  expect(stderr).toContain("must be an https address");
  expect(readdirSync(folder)).toEqual(["r.yaml"]);
});
