import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connector, Finding } from "../../providers/connector.ts";
import { placeOrder } from "../place-order.ts";
import { findById } from "../store.ts";
import { createOrdersFixture, newRequest, type OrdersFixture } from "../testing/fixture.ts";
import { deferred, SUCCEEDED, scripted, UNKNOWN } from "../testing/scripted-connector.ts";
import { createOrderPolls } from "./order-polls.ts";

const MINUTE = 60_000;
const SLOTS_OF_PROVIDER = 25;

let fixture: OrdersFixture;
beforeAll(async () => {
  fixture = await createOrdersFixture();
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
