import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../server/src/platform/db/connection.ts";
import { until } from "./harness/deadline.ts";
import { change } from "./harness/operator.ts";
import { balancesOf, expectBalancedBooks, type Reseller, startReseller } from "./harness/reseller.ts";

let both: Reseller;
beforeAll(async () => {
  // A slow recharge has its result after two seconds, in which the provider can be killed.
  both = await startReseller({ CORPRAIL_SIMULATOR_TIMEOUT_MS: "20000" });
});
afterAll(() => both?.close());

const QUICK = { firstCheckAfterMs: 50, checkEveryMs: 100, giveUpAfterMs: 100_000 } as const;
const DESCRIPTION = "The customer says it is not there.";
const WORDS = "Desk 7 has seen the switch's log.";
const orderIdOf = (result: object) => ("orderId" in result ? String(result.orderId) : "");

type Passed = { readonly urid: string; readonly ref: string; readonly refThere: string };

/** A successful recharge whose client complains. */
async function complain(urid: string): Promise<Passed> {
  const { here, there } = both;
  const sold = await here.api.recharge.createAndSettle({ account: "9876543000", operator: "AT", amount: "10.00", urid }, QUICK);
  const { complaintRef: ref } = await here.api.complaints.raise({ urid, reason: "not_credited", description: DESCRIPTION });
  await until("the complaint is with the operator", async () => (await here.api.complaints.get(ref)).stage === "with_operator");
  const raised = await there.api.complaints.list().toArray();
  const same = raised.filter((one) => one.urid === orderIdOf(sold));
  expect(same).toMatchObject([{ status: "OPEN", reasonCode: "not_credited", description: DESCRIPTION }]);
  return { urid, ref, refThere: same[0]?.complaintRef ?? "" };
}

/** Makes the next question about every complaint due, which would otherwise be a minute later. */
async function askNow(): Promise<void> {
  const { sql, close } = connect({ url: both.reseller.databaseUrl, connections: 1, role: null });
  await sql`update provider_complaints set next_at = now()`;
  await close();
}

const heardOf = (urid: string) =>
  both
    .callbacks()
    .filter((one) => one["urid"] === urid)
    .map((one) => one["status"]);

test("a client's complaint is raised at the provider, and its decision is applied here with money and callbacks", async () => {
  const { api } = both.here;
  const before = await balancesOf(both);
  const [refunded, standing] = await Promise.all([complain("wrong-1"), complain("right-1")]);
  const clear = (ref: string, decision: string) => change(both.provider.service, `/complaints/${ref}/clear`, { decision, reason: WORDS });
  await clear(refunded.refThere, "refund");
  await clear(standing.refThere, "stands");
  await askNow();
  const decided = (ref: string) =>
    until(`${ref} is decided`, async () => {
      const complaint = await api.complaints.get(ref);
      return complaint.status !== "OPEN" && complaint;
    });
  const ours = { stage: "decided", reason: expect.not.stringContaining("Desk 7") };
  expect(await decided(refunded.ref)).toMatchObject({
    ...ours,
    status: "REFUNDED",
    refundAmount: "10.0000",
    transactionStatus: "FAILED",
  });
  expect(await decided(standing.ref)).toMatchObject({
    ...ours,
    status: "RESOLVED",
    refundAmount: "0.0000",
    transactionStatus: "SUCCESS",
  });
  await until("the client hears of the refund", () => heardOf(refunded.urid).at(-1) === "REFUNDED");
  await until("the client hears that it stands", () => heardOf(standing.urid).at(-1) === "RESOLVED");
  expect([heardOf(refunded.urid).includes("FAILED"), heardOf(standing.urid).includes("FAILED")]).toEqual([true, false]);
  expect(JSON.stringify(both.callbacks())).not.toContain("Desk 7");
  expect(await balancesOf(both)).toEqual({ here: before.here - 10, there: before.there - 10 });
  await expectBalancedBooks(both);
});

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
  expect(await balancesOf(both)).toEqual({ here: before.here - 10, there: before.there - 10 });
  await expectBalancedBooks(both);
});
