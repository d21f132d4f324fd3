import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "./harness/deadline.ts";
import { change, type JsonRecord, operator } from "./harness/operator.ts";
import { type Described, expectBalancedBooks, newReference, QUICK, startDescribed } from "./harness/providers/described-services.ts";
import { transaction } from "./harness/providers/fake-provider-description.ts";

// A change of a description is tried beside the current version, against a provider that answers over real sockets.

let described: Described;
let definition: JsonRecord;
beforeAll(async () => {
  const operations = { "recharge.pay": transaction("/pay/recharge", { account: "{target}" }) };
  described = await startDescribed({ service: "recharge", operations });
  definition = (await operator(described.service, "GET", "/providers/first/definition")).body["definition"] as JsonRecord;
});
afterAll(() => described?.close());

const input = () => ({ account: "9876543000", operator: "AT", amount: "10.00", urid: newReference("version") });
const versions = async () => (await operator(described.service, "GET", "/providers/first/versions")).body;
const versionOf = async (version: number) =>
  ((await versions())["versions"] as readonly JsonRecord[]).find((one) => one["version"] === version) ??
  expect.fail("There is no such version.");
const withHeaders = (headers: JsonRecord) => ({ ...definition, headers: { ...(definition["headers"] as JsonRecord), ...headers } });

test("a candidate in shadow reads real answers again, and no order is sent twice", async () => {
  const text = JSON.stringify(definition).replaceAll('"DONE"', '"COMPLETED"');
  await change(described.service, "/providers/first/candidate", { definition: JSON.parse(text), reason: "the new manual" });
  const sent = described.first.transactions.length;
  expect(await described.api.recharge.create(input())).toMatchObject({ outcome: "succeeded" });
  expect(described.first.transactions).toHaveLength(sent + 1);
  const seen = await until("the difference is counted", async () => {
    const one = await versionOf(2);
    return one["differing"] === 1 ? one : undefined;
  });
  expect(seen).toMatchObject({ state: "candidate", compared: 1, reason: "the new manual" });
  const [difference] = (await versions())["differences"] as readonly JsonRecord[];
  expect(difference).toMatchObject({
    operation: "recharge",
    fields: expect.arrayContaining([{ field: "outcome", current: "succeeded", candidate: "unknown" }]),
  });
});

test("an order in doubt stays on its version when the candidate is dropped, and is finished by it", async () => {
  await change(described.service, "/providers/first/candidate", { definition: withHeaders({ "X-Version": "3" }) });
  await change(described.service, "/providers/first/rollout", { version: 3, percent: 100, reason: "all" });
  const asked = input();
  described.first.next("cut");
  expect(await described.api.recharge.create(asked)).toMatchObject({ outcome: "pending" });
  await change(described.service, "/providers/first/candidate/drop", { version: 3 });
  const before = described.first.seen.length;
  expect(await described.api.recharge.waitForFinal({ urid: asked.urid }, QUICK)).toMatchObject({ outcome: "succeeded" });
  const polls = described.first.seen.slice(before).filter(({ headers }) => headers["x-version"] === "3");
  expect(polls.length).toBeGreaterThan(0);
  expect(await versionOf(3)).toMatchObject({ state: "earlier", last_day: { succeeded: 1, pending: 0 } });
  expect(await described.api.recharge.create(input())).toMatchObject({ outcome: "succeeded" });
  expect(described.first.seen.at(-1)?.headers["x-version"]).toBeUndefined();
});

test("a share of the orders uses the candidate; it is made current, and one call goes back", async () => {
  await change(described.service, "/providers/first/candidate", { definition: withHeaders({ "X-Version": "4" }) });
  await change(described.service, "/providers/first/rollout", { version: 4, percent: 50 });
  for (let order = 0; order < 20; order++) expect(await described.api.recharge.create(input())).toMatchObject({ outcome: "succeeded" });
  const used = new Set(described.first.seen.slice(-20).map(({ headers }) => headers["x-version"]));
  expect(used).toEqual(new Set(["4", undefined]));
  expect(await versionOf(4)).toMatchObject({ differing: 0 });
  await change(described.service, "/providers/first/versions/4/promote", {});
  expect(await versions()).toMatchObject({ current: 4, candidate: null });
  await described.api.recharge.create(input());
  expect(described.first.seen.at(-1)?.headers["x-version"]).toBe("4");
  await change(described.service, "/providers/first/versions/1/promote", { reason: "back" });
  await described.api.recharge.create(input());
  expect(described.first.seen.at(-1)?.headers["x-version"]).toBeUndefined();
  await expectBalancedBooks(described);
});
