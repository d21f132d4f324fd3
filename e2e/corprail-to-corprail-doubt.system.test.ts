import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { until } from "./harness/deadline.ts";
import { change } from "./harness/operator.ts";
import {
  balancesOf,
  expectBalancedBooks,
  orderIdOf,
  QUICK,
  type Reseller,
  spentSince,
  startReseller,
} from "./harness/providers/reseller.ts";

let both: Reseller;
beforeAll(async () => {
  // A slow recharge has its result after two seconds, in which the provider can be killed.
  both = await startReseller({ CORPRAIL_SIMULATOR_TIMEOUT_MS: "20000" });
});
afterEach(() => expectBalancedBooks(both));
afterAll(() => both?.close());

test("an order that the provider accepted before it was killed is found by polling and charged once at both", async () => {
  const { here, there } = both;
  // Without callbacks, so that only polling can find the result.
  await change(both.provider.service, `/accounts/${there.account.accountId}`, { callback_url: null });
  const before = await balancesOf(both);
  const input = { account: "9876543150", operator: "AT", amount: "10.00", urid: "doubt-1" };
  const selling = here.api.recharge.create(input);
  await until("the provider has accepted it", async () => (await balancesOf(both)).there < before.there);
  const restart = await both.killProvider();
  const doubtful = await selling;
  expect(doubtful).toMatchObject({ outcome: "pending" });
  await restart();
  const final = await here.api.recharge.waitForFinal({ urid: input.urid }, QUICK);
  expect(final).toMatchObject({ outcome: "succeeded" });
  expect(await there.api.recharge.get({ urid: orderIdOf(final) })).toMatchObject({ outcome: "succeeded", operatorRef: final.operatorRef });
  expect(await here.api.recharge.create(input)).toMatchObject({ outcome: "succeeded", orderId: orderIdOf(final) });
  expect(await spentSince(both, before)).toEqual({ here: 10, there: 10 });
});
