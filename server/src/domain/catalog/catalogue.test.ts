import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../platform/core/clock.ts";
import { type TestDatabase, testDatabase } from "../../testing/database.ts";
import { audited, type ChangeFeed, followChanges } from "../audit/feed.ts";
import { listAudit } from "../audit/list.ts";
import { type Catalogue, catalogueChanges, loadCatalogue } from "./catalogue.ts";
import type { CatalogueContext } from "./context.ts";
import { switchOperator } from "./switch-operator.ts";
import { switchService } from "./switch-service.ts";

let database: TestDatabase;
let catalogue: Catalogue;
let feed: ChangeFeed;
let ctx: CatalogueContext;
beforeAll(async () => {
  database = await testDatabase();
  const from = await audited(database.sql);
  catalogue = await loadCatalogue(database.sql);
  feed = followChanges({ sql: database.sql, from, apply: catalogueChanges(catalogue), onError: () => {} });
  ctx = { sql: database.sql, clock: systemClock(), refresh: feed.refresh };
});
afterAll(async () => {
  feed.close();
  await database.drop();
});

const newest = async () => (await listAudit(database.sql, { before: null, limit: 1 }))[0];

test("every service but recharge is signed", () => {
  const signing = Object.fromEntries(catalogue.services().map((service) => [service.service, service.signing]));
  expect(Object.entries(signing)).toEqual([
    ["recharge", "optional"],
    ["bills", "required"],
    ["transfers", "required"],
    ["bus", "required"],
    ["aeps", "required"],
  ]);
});

test("the shipped operators are known by code and by alias, exactly spelled", () => {
  const codes = catalogue.operators().map((operator) => operator.operator);
  expect(codes).toEqual(["AT", "JO", "VI", "BT", "BS", "MT", "AD", "DT", "D2", "SD", "TP"]);
  expect(catalogue.operator("IDEA")?.operator).toBe("VI");
  expect(catalogue.operator("AT")).toMatchObject({ name: "Airtel", minAmount: 100_000n, maxAmount: 50_000_000n, denominations: [] });
  for (const unknown of ["at", " AT", "ZZ", "", "__proto__", "constructor"]) expect(catalogue.operator(unknown)).toBeNull();
});

test("an operator's own example fits its pattern, and a line after it does not", () => {
  for (const { accountPattern, accountExample } of catalogue.operators()) {
    expect(accountPattern.test(accountExample)).toBe(true);
    expect(accountPattern.test(`${accountExample}\n`)).toBe(false);
  }
  expect(catalogue.operator("AT")?.accountPattern.test("5876543000")).toBe(false);
});

test("a switched operator is off when the switch is answered, and the audit log has it", async () => {
  expect(await switchOperator(ctx, "key:K1", { operator: "MT", enabled: false, reason: "outage" })).toEqual({ kind: "done" });
  expect(catalogue.operator("MTNL")?.enabled).toBe(false);
  expect(await newest()).toMatchObject({ actor: "key:K1", action: "operator.switched", subject_kind: "operator", subject_id: "MT" });
  expect(JSON.parse((await newest())?.details ?? "")).toEqual({ changes: { enabled: { from: true, to: false } }, reason: "outage" });
  await switchOperator(ctx, "test", { operator: "MT", enabled: true });
  expect(catalogue.operator("MT")?.enabled).toBe(true);
});

test("a service's switch and hours change one by one, and null removes an hour", async () => {
  await switchService(ctx, "test", { service: "bus", opensAt: "22:00", closesAt: "04:30" });
  expect(catalogue.service("bus")).toMatchObject({ enabled: true, opensAt: "22:00", closesAt: "04:30" });
  await switchService(ctx, "test", { service: "bus", enabled: false, opensAt: null });
  expect(catalogue.service("bus")).toMatchObject({ enabled: false, opensAt: null, closesAt: "04:30" });
  expect(JSON.parse((await newest())?.details ?? "")).toEqual({
    changes: { enabled: { from: true, to: false }, opens_at: { from: "22:00", to: null } },
  });
});

test("a switch to what is already so leaves no trace, and an unknown operator is answered as such", async () => {
  const before = await audited(database.sql);
  expect(await switchOperator(ctx, "test", { operator: "AT", enabled: true })).toEqual({ kind: "done" });
  expect(await switchService(ctx, "test", { service: "recharge", enabled: true, opensAt: null })).toEqual({ kind: "done" });
  expect(await switchOperator(ctx, "test", { operator: "AIRTEL", enabled: false })).toEqual({ kind: "not_found" });
  expect(await audited(database.sql)).toBe(before);
});

const withPattern = async (pattern: string) =>
  await database.sql.begin(async (tx) => {
    await tx`update operators set account_pattern = ${pattern} where operator = 'TP'`;
    throw new Error("accepted");
  });

test.each(["^[0-9]{8,12}$", "^[A-Z]{2}-?[0-9]{4}/\\d{1,6}$"])("an operator may have the account pattern %s", async (pattern) => {
  await expect(withPattern(pattern)).rejects.toThrow("accepted");
});

test.each(["^([0-9]+)+$", "[0-9]{8}", "^[0-9]*$", "^.+$", "^[0-9]{1,9}[0-9]{1,9}[0-9]{1,9}[0-9]{1,9}$", "^(a|a)$", ""])(
  "an operator cannot have the account pattern %s",
  async (pattern) => {
    await expect(withPattern(pattern)).rejects.toThrow("The account pattern of the operator TP is not allowed.");
  },
);
