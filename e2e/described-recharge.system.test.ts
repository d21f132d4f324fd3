import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "./harness/deadline.ts";
import { type JsonRecord, operator } from "./harness/operator.ts";
import {
  calledBack,
  type Described,
  expectBalancedBooks,
  newReference,
  orderIdOf,
  QUICK,
  startDescribed,
} from "./harness/providers/described-services.ts";
import { transaction } from "./harness/providers/fake-provider-description.ts";

// Recharges through a description, against a provider that answers over real sockets.

const OPERATIONS = {
  "recharge.pay": transaction("/pay/recharge", { account: "{target}", product: "{operator}", paise: "{amount|paise|number}" }),
};

let described: Described;
beforeAll(async () => {
  described = await startDescribed({ service: "recharge", operations: OPERATIONS });
});
afterAll(() => described?.close());

const input = () => ({ account: "9876543000", operator: "AT", amount: "10.00", urid: newReference("recharge") });
const last = () => described.first.transactions.at(-1) ?? expect.fail("The first provider has no transaction.");
const attemptsOf = async (outcome: object) => (await described.detail(orderIdOf(outcome)))["attempts"] as readonly JsonRecord[];
const refusedCallbacks = async (reason: string) =>
  (await operator(described.service, "GET", `/provider-callbacks?reason=${reason}`)).body["items"] as readonly JsonRecord[];

/** Sends a message of the provider as it would. */
const deliver = (message: { readonly body: string; readonly headers: Readonly<Record<string, string>> }) =>
  fetch(`${described.service.url}/upstream/first/callback`, { method: "POST", ...message });

test("a recharge succeeds with the provider's reference, once, under a reference of the provider's form", async () => {
  const before = await described.balance();
  const outcome = await described.api.recharge.create(input());
  expect(outcome).toMatchObject({ outcome: "succeeded", operatorRef: `77${last().id.slice(-10)}` });
  expect(last()).toMatchObject({ ref: expect.stringMatching(/^[0-9]{10}$/), body: { account: "9876543000", product: "AT", paise: 1000 } });
  expect(await described.balance()).toBe(before - 10);
  expect(described.first.logins()).toBe(1);
});

test("staff see what was sent and answered, and no secret", async () => {
  const outcome = await described.api.recharge.create(input());
  const detail = JSON.stringify(await described.detail(orderIdOf(outcome)));
  expect(detail).toContain("/pay/recharge");
  expect(detail).toContain(last().ref);
  expect(detail).toContain(last().id);
  for (const key of Object.values(described.first.keys)) expect(detail).not.toContain(key);
  const { headers } = described.first.seen.at(-1) ?? expect.fail("Nothing was asked.");
  for (const name of ["authorization", "x-signature"]) expect(detail).not.toContain(String(headers[name]).replace("Bearer ", ""));
});

test("a decline of the provider leads to the next one, which is charged once", async () => {
  const before = await described.balance();
  described.first.next("refused");
  const outcome = await described.api.recharge.create(input());
  expect(outcome).toMatchObject({ outcome: "succeeded" });
  expect(await attemptsOf(outcome)).toMatchObject([
    { provider: "first", outcome: "declined" },
    { provider: "second", outcome: "succeeded" },
  ]);
  expect(await described.balance()).toBe(before - 10);
});

test("a final decline is tried nowhere else and costs nothing", async () => {
  const [before, others] = [await described.balance(), described.second.transactions.length];
  described.first.next("customer");
  const outcome = await described.api.recharge.create(input());
  expect(outcome).toMatchObject({ outcome: "failed", message: "The number is not valid for this operator." });
  expect(described.second.transactions).toHaveLength(others);
  expect(await described.balance()).toBe(before);
});

test("a connection cut after acceptance leaves the order pending until polling finds its success, charged once", async () => {
  const [before, sent] = [await described.balance(), described.first.transactions.length];
  described.first.next("cut");
  const asked = input();
  expect(await described.api.recharge.create(asked)).toMatchObject({ outcome: "pending" });
  expect(await described.api.recharge.waitForFinal({ urid: asked.urid }, QUICK)).toMatchObject({ outcome: "succeeded" });
  expect(described.first.transactions).toHaveLength(sent + 1);
  expect(await described.balance()).toBe(before - 10);
  await calledBack(described, asked.urid, "SUCCESS");
});

test("an answer of 20 MB is read no further, and polling finds the result", async () => {
  described.first.next("huge");
  const asked = input();
  const outcome = await described.api.recharge.create(asked);
  expect(outcome).toMatchObject({ outcome: "pending" });
  expect(await described.api.recharge.waitForFinal({ urid: asked.urid }, QUICK)).toMatchObject({ outcome: "succeeded" });
  expect(await attemptsOf(outcome)).toHaveLength(1);
});

test("a callback settles a pending order and reaches the client; forged and replayed ones change nothing and are listed", async () => {
  described.first.next("queued");
  const asked = input();
  const pending = await described.api.recharge.create(asked);
  expect(pending).toMatchObject({ outcome: "pending" });
  const of = last();
  const forged = described.first.message({ ...of, state: "DONE" });
  expect((await deliver({ ...forged, headers: { ...forged.headers, "x-signature": `v1=${"0".repeat(64)}` } })).status).toBe(403);
  const old = described.first.message({ ...of, state: "REFUSED" }, Date.now() - 3_600_000);
  expect((await deliver(old)).status).toBe(403);
  expect(await described.api.recharge.get({ urid: asked.urid })).toMatchObject({ outcome: "pending" });
  of.state = "DONE";
  const real = described.first.message(of);
  expect((await deliver(real)).status).toBe(200);
  await calledBack(described, asked.urid, "SUCCESS");
  const after = await described.balance();
  expect((await deliver(real)).status).toBe(200);
  expect(await described.balance()).toBe(after);
  expect(described.callbacks().filter((one) => one["urid"] === asked.urid)).toHaveLength(1);
  await until(
    "both are listed",
    async () => (await refusedCallbacks("wrong_key")).length > 0 && (await refusedCallbacks("stale")).length > 0,
  );
});

test("a status that the description does not declare is unknown, and staff see the word", async () => {
  described.first.next("odd");
  const asked = input();
  const outcome = await described.api.recharge.create(asked);
  expect(outcome).toMatchObject({ outcome: "pending" });
  expect(await attemptsOf(outcome)).toMatchObject([{ provider: "first", outcome: null }]);
  expect(JSON.stringify(await described.detail(orderIdOf(outcome)))).toContain("PARTLY");
  last().state = "DONE";
  expect(await described.api.recharge.waitForFinal({ urid: asked.urid }, QUICK)).toMatchObject({ outcome: "succeeded" });
});

test("a token that is no longer accepted is renewed once, and the order is sent once", async () => {
  const [logins, sent] = [described.first.logins(), described.first.transactions.length];
  described.first.expireToken();
  expect(await described.api.recharge.create(input())).toMatchObject({ outcome: "succeeded" });
  expect(described.first.logins()).toBe(logins + 1);
  expect(described.first.transactions).toHaveLength(sent + 1);
});

test("the provider's balance in its answers is shown to staff", async () => {
  const { body } = await operator(described.service, "GET", "/providers");
  const first = (body["items"] as readonly JsonRecord[]).find((one) => one["provider"] === "first");
  expect(first).toMatchObject({ balance: { amount: expect.stringMatching(/^1000000\.00/) } });
});

test("the books are balanced", async () => {
  await expectBalancedBooks(described);
});
