import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Connector, Finding } from "../../providers/connector.ts";
import { placeOrder } from "../place-order.ts";
import { findById } from "../store.ts";
import { createOrdersFixture, newRequest, type OrdersFixture } from "../testing/fixture.ts";
import { deferred, SUCCEEDED, scripted, UNKNOWN } from "../testing/scripted-connector.ts";
import { applyReport } from "./apply-finding.ts";
import { createOrderPolls } from "./order-polls.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const SLOTS_OF_PROVIDER = 25;

let fixture: OrdersFixture;
beforeAll(async () => {
  fixture = await createOrdersFixture();
});
beforeEach(async () => {
  // Removes orders that earlier tests left in doubt.
  await fixture.owner`update pending_polls set needs_human = true`;
});
afterAll(async () => {
  expect(await fixture.violations()).toEqual([]);
  await fixture.close();
});

/** Orders whose sending had no usable answer. */
async function placeInDoubt(name: string, provider: Connector, count: number): Promise<readonly string[]> {
  const process = fixture.startProcess({ providers: { [name]: provider } });
  const accountId = await fixture.newAccount(process, 10_000);
  const placed = await Promise.all(Array.from({ length: count }, () => placeOrder(process.ctx, newRequest(accountId))));
  return placed.map((one) => {
    if (one.kind !== "order") throw new Error("No order.");
    return one.order.orderId;
  });
}

test("orders of a provider that does not answer do not keep those of another one from being asked about", async () => {
  const answer = deferred<Finding>();
  let [asked, most] = [0, 0];
  const silent = scripted({
    send: UNKNOWN,
    ask: async () => {
      most = Math.max(most, ++asked);
      const found = await answer.promise;
      asked--;
      return found;
    },
  });
  const healthy = scripted({ send: UNKNOWN, ask: SUCCEEDED });
  const waiting = await placeInDoubt("silent", silent, 70);
  fixture.clock.advance(1_000);
  const [last = ""] = await placeInDoubt("healthy", healthy, 1);
  fixture.clock.advance(MINUTE);

  const { ctx } = fixture.startProcess({ providers: { silent, healthy } });
  const polls = createOrderPolls(ctx);
  expect(await polls.start()).toBe(71);
  await expect.poll(async () => (await findById(fixture.database.sql, last))?.state).toBe("SUCCESS");
  expect([asked, most]).toEqual([SLOTS_OF_PROVIDER, SLOTS_OF_PROVIDER]);
  // Until the silent provider answers, nothing more is asked of it, also when its orders are due again.
  fixture.clock.advance(MINUTE / 2);
  await polls.start();
  expect(asked).toBe(SLOTS_OF_PROVIDER);

  answer.resolve(SUCCEEDED);
  await polls.drained();
  for (let rounds = 0; rounds < 3; rounds++) {
    fixture.clock.advance(2 * MINUTE);
    await polls.start();
    await polls.drained();
  }
  const states = await Promise.all(waiting.map(async (orderId) => (await findById(fixture.database.sql, orderId))?.state));
  expect(new Set(states)).toEqual(new Set(["SUCCESS"]));
  expect(most).toBe(SLOTS_OF_PROVIDER);
});

/** One order that is asked about, whose provider has not answered yet. */
async function pollInFlight() {
  const answer = deferred<Finding>();
  let asked = 0;
  const provider = scripted({
    send: UNKNOWN,
    ask: async () => {
      asked++;
      return await answer.promise;
    },
  });
  const [orderId = ""] = await placeInDoubt("slow", provider, 1);
  // The first polls come soon, whatever the order's age.
  await fixture.owner`update pending_polls set polls = 9 where order_id = ${orderId}`;
  fixture.clock.advance(MINUTE);
  const { ctx } = fixture.startProcess({ providers: { slow: provider } });
  const polls = createOrderPolls(ctx);
  expect(await polls.start()).toBe(1);
  await expect.poll(() => asked).toBe(1);
  return { ctx, polls, orderId, answer, askedTimes: () => asked };
}

test("an order whose provider takes longer than a lease is not asked about twice, and is left to staff after a day", async () => {
  const { ctx, polls, orderId, answer, askedTimes } = await pollInFlight();
  const other = createOrderPolls(ctx);
  for (let minutes = 0; minutes < 3; minutes++) {
    fixture.clock.advance(0.9 * MINUTE);
    expect([await polls.start(), await other.start()]).toEqual([0, 0]);
  }
  expect(askedTimes()).toBe(1);
  fixture.clock.advance(DAY);
  expect(await polls.start()).toBe(0);
  answer.resolve(UNKNOWN);
  await polls.drained();
  const [row] = await fixture.database.sql`select needs_human from pending_polls where order_id = ${orderId}`;
  expect(row).toEqual({ needs_human: true });
});

test("a hint about an order that is being asked about makes it asked about again right after the answer", async () => {
  const { ctx, polls, orderId, answer, askedTimes } = await pollInFlight();
  await applyReport(ctx, { reference: orderId, finding: { kind: "ask" } }, "slow");
  expect(await polls.start()).toBe(1);
  expect(askedTimes()).toBe(1);
  answer.resolve(UNKNOWN);
  await polls.drained();
  fixture.clock.advance(1_000);
  expect(await polls.start()).toBe(1);
  await polls.drained();
  expect(askedTimes()).toBe(2);
});
