import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ProviderRequest } from "../../providers/connector.ts";
import { settleManually } from "../change-manually.ts";
import { WITHOUT_PROVIDER } from "../dispatch-order.ts";
import { NO_PROVIDER, type Order } from "../order.ts";
import { placeOrder } from "../place-order.ts";
import { readHistory } from "../queries/read-history.ts";
import { findById } from "../store.ts";
import { createOrdersFixture, newOrder, newRequest, type OrdersFixture, type OrdersProcess } from "../testing/fixture.ts";
import { accept, failOver, watch } from "../testing/operations.ts";
import {
  DECLINED,
  deferred,
  PENDING,
  type Script,
  type ScriptedConnector,
  SUCCEEDED,
  scripted,
  UNKNOWN,
} from "../testing/scripted-connector.ts";
import { applyFinding, applyReport } from "./apply-finding.ts";
import { pollOrders } from "./order-polls.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

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

type InDoubt = { readonly process: OrdersProcess; readonly provider: ScriptedConnector; readonly order: Order; readonly accountId: string };

/** Creates an order whose provider did not answer. Its first poll is due five seconds later. */
async function inDoubt(script: Script): Promise<InDoubt> {
  const provider = scripted({ send: UNKNOWN, ...script });
  const process = fixture.startProcess({ providers: { first: provider } });
  const accountId = await fixture.newAccount(process, 100);
  const placed = await placeOrder(process.ctx, newRequest(accountId));
  if (placed.kind !== "order") throw new Error("No order.");
  return { process, provider, order: placed.order, accountId };
}

async function pollAfter({ process }: InDoubt, milliseconds: number): Promise<number> {
  fixture.clock.advance(milliseconds);
  return await pollOrders(process.ctx);
}

const stateOf = async ({ order }: InDoubt) => (await findById(fixture.database.sql, order.orderId))?.state;
const watchOf = async ({ order }: InDoubt) => {
  const [row] = await fixture.database.sql<{ polls: number; not_found: number; due_at: Date; needs_human: boolean }[]>`
    select polls, not_found, due_at, needs_human from pending_polls where order_id = ${order.orderId}`;
  return row;
};

describe("an order in doubt", () => {
  test("is polled by our reference when due, not earlier, and never sent again", async () => {
    const one = await inDoubt({});
    expect(await pollAfter(one, 4 * SECOND)).toBe(0);
    expect(await pollAfter(one, SECOND)).toBe(1);
    expect(one.provider.asked.map((request) => request.reference)).toEqual([one.order.orderId]);
    expect(one.provider.sent).toHaveLength(1);
  });

  test.each([
    { finding: SUCCEEDED, state: "SUCCESS", left: 90 },
    { finding: DECLINED, state: "FAILED", left: 100 },
    { finding: { kind: "reversed", reason: "taken back" }, state: "FAILED", left: 100 },
  ] as const)("that is found $finding.kind becomes $state and is not asked about again", async ({ finding, state, left }) => {
    const one = await inDoubt({ ask: finding });
    await pollAfter(one, 5 * SECOND);
    expect(await stateOf(one)).toBe(state);
    expect(await fixture.balance(one.accountId)).toBe(left);
    expect(await watchOf(one)).toBeUndefined();
  });

  test.each([UNKNOWN, PENDING, { kind: "not_sent", why: "?" } as const])(
    "that is found $kind stays pending and is asked about by the schedule",
    async (finding) => {
      const one = await inDoubt({ ask: finding });
      const delays = [];
      for (const wait of [5, 15, 30, 60, 60]) {
        expect(await pollAfter(one, wait * SECOND)).toBe(1);
        delays.push(Math.round(((await watchOf(one))?.due_at.getTime() ?? 0) - fixture.clock.now()) / SECOND);
      }
      delays.forEach((delay, place) => {
        expect(Math.abs(delay - ([15, 30, 60, 60, 60][place] ?? 0))).toBeLessThan(2);
      });
      expect(await stateOf(one)).toBe("pending");
      expect(await fixture.balance(one.accountId)).toBe(90);
    },
  );

  test("whose poll fails is polled again and delays no other order", async () => {
    const bad = await inDoubt({ ask: () => Promise.reject(new Error("bug")) });
    const good = await inDoubt({ ask: SUCCEEDED });
    fixture.clock.advance(5 * SECOND);
    // One of the two processes may claim both orders; only the one with the right connector gets an answer.
    await pollOrders({ ...bad.process.ctx, providerRegistry: { ...bad.process.ctx.providerRegistry, connector: () => pick(bad, good) } });
    expect(await stateOf(good)).toBe("SUCCESS");
    expect(await stateOf(bad)).toBe("pending");
    expect((await watchOf(bad))?.due_at.getTime()).toBeGreaterThan(fixture.clock.now());
  });

  test("is polled by one process only", async () => {
    const answer = deferred<typeof SUCCEEDED>();
    const one = await inDoubt({ ask: () => answer.promise });
    fixture.clock.advance(5 * SECOND);
    const polls = Promise.all([pollOrders(one.process.ctx), pollOrders(one.process.ctx), pollOrders(one.process.ctx)]);
    answer.resolve(SUCCEEDED);
    expect((await polls).reduce((sum, due) => sum + due, 0)).toBe(1);
    expect(one.provider.asked).toHaveLength(1);
  });

  test("whose provider is no longer known stays pending", async () => {
    const one = await inDoubt({});
    fixture.clock.advance(5 * SECOND);
    await pollOrders({ ...one.process.ctx, providerRegistry: { ...one.process.ctx.providerRegistry, connector: () => null } });
    expect(await stateOf(one)).toBe("pending");
  });
});

/** A provider with a different answer for each of two orders. */
function pick(bad: InDoubt, good: InDoubt): ScriptedConnector {
  return scripted({
    ask: (request, signal) => (request.reference === good.order.orderId ? good : bad).provider.ask(request, signal),
  });
}

describe("not found", () => {
  test("counts only twice in a row", async () => {
    const one = await inDoubt({ ask: { kind: "not_found" } });
    await pollAfter(one, 5 * SECOND);
    expect(await stateOf(one)).toBe("pending");
    await pollAfter(one, 15 * SECOND);
    expect(await stateOf(one)).toBe("FAILED");
    expect(await fixture.balance(one.accountId)).toBe(100);
  });

  test("is reset by another answer in between", async () => {
    const one = await inDoubt({ ask: { kind: "not_found" } });
    await pollAfter(one, 5 * SECOND);
    one.provider.change({ ask: UNKNOWN });
    await pollAfter(one, 15 * SECOND);
    one.provider.change({ ask: { kind: "not_found" } });
    await pollAfter(one, 30 * SECOND);
    expect(await stateOf(one)).toBe("pending");
    await pollAfter(one, 60 * SECOND);
    expect(await stateOf(one)).toBe("FAILED");
  });

  test("does not count before the provider's quiet time", async () => {
    const one = await inDoubt({ ask: { kind: "not_found" }, quietMilliseconds: 5 * MINUTE });
    for (const wait of [5, 15, 30, 60, 60, 60]) await pollAfter(one, wait * SECOND);
    expect(one.provider.asked).toHaveLength(6);
    expect(await stateOf(one)).toBe("pending");
    await pollAfter(one, 2 * MINUTE);
    expect(await stateOf(one)).toBe("FAILED");
  });

  test("has a quiet time that starts at the latest attempt, not at the order's creation", async () => {
    const one = await inDoubt({ ask: { kind: "not_found" }, quietMilliseconds: MINUTE });
    await pollAfter(one, 5 * SECOND);
    fixture.clock.advance(3 * MINUTE);
    await one.process.ctx.writer.write(failOver(one.order, "first"));
    await pollAfter(one, 15 * SECOND);
    expect(await stateOf(one)).toBe("pending");
    await pollAfter(one, 2 * MINUTE);
    expect(await stateOf(one)).toBe("FAILED");
  });
});

describe("an order that moved to another provider", () => {
  const moved = async (one: InDoubt) => await one.process.ctx.writer.write(failOver(one.order, "first"));

  test("must be unknown twice to that provider too: what the one before did not know does not count", async () => {
    const one = await inDoubt({ ask: { kind: "not_found" } });
    await pollAfter(one, 5 * SECOND);
    expect(await watchOf(one)).toMatchObject({ not_found: 1 });
    await moved(one);
    await pollAfter(one, 15 * SECOND);
    expect([await stateOf(one), await fixture.balance(one.accountId)]).toEqual(["pending", 90]);
    await pollAfter(one, 30 * SECOND);
    expect([await stateOf(one), await fixture.balance(one.accountId)]).toEqual(["FAILED", 100]);
  });

  test("does not count an answer of the provider before that comes late", async () => {
    const [asked, answer] = [deferred<null>(), deferred<{ readonly kind: "not_found" }>()];
    const ask = () => {
      asked.resolve(null);
      return answer.promise;
    };
    const one = await inDoubt({ ask });
    fixture.clock.advance(5 * SECOND);
    const poll = pollOrders(one.process.ctx);
    await asked.promise;
    await moved(one);
    answer.resolve({ kind: "not_found" });
    await poll;
    expect(await watchOf(one)).toMatchObject({ polls: 1, not_found: 0 });
  });
});

describe("staff must settle an order", () => {
  test("after a day of polling; polling stops, the order stays pending, and a manual settlement ends it", async () => {
    const one = await inDoubt({});
    await pollAfter(one, 5 * SECOND);
    await pollAfter(one, 15 * SECOND);
    await pollAfter(one, 30 * SECOND);
    await pollAfter(one, DAY);
    expect(await watchOf(one)).toMatchObject({ needs_human: true });
    expect(await pollAfter(one, DAY)).toBe(0);
    expect(await stateOf(one)).toBe("pending");
    const request = { orderId: one.order.orderId, to: "FAILED", operatorRef: null, reason: "asked by telephone" } as const;
    expect(await settleManually(one.process.ctx, "test", request)).toEqual({ kind: "done" });
    expect(await settleManually(one.process.ctx, "test", request)).toEqual({ kind: "conflict", reason: "The order is FAILED." });
    expect(await watchOf(one)).toBeUndefined();
    expect(await fixture.balance(one.accountId)).toBe(100);
  });
});

describe("a success that may be reversed", () => {
  const later = () => ({ ...SUCCEEDED, recheckAt: fixture.clock.now() + MINUTE }) as const;

  test("is polled again at its recheck time, and a reversal returns the money", async () => {
    const one = await inDoubt({ send: async () => later(), ask: { kind: "reversed", reason: "taken back" } });
    expect(await stateOf(one)).toBe("SUCCESS");
    expect(await pollAfter(one, MINUTE)).toBe(1);
    expect(await stateOf(one)).toBe("FAILED");
    expect(await fixture.balance(one.accountId)).toBe(100);
    expect(await watchOf(one)).toBeUndefined();
  });

  test("is polled again also when the success was found by a poll", async () => {
    const one = await inDoubt({ ask: async () => later() });
    await pollAfter(one, 5 * SECOND);
    expect(await stateOf(one)).toBe("SUCCESS");
    one.provider.change({ ask: { kind: "reversed", reason: "taken back" } });
    await pollAfter(one, MINUTE);
    expect(await stateOf(one)).toBe("FAILED");
  });

  test("is polled at once when the provider hints at a change, and the money returns if it was taken back", async () => {
    const one = await inDoubt({ send: SUCCEEDED, ask: { kind: "reversed", reason: "taken back" } });
    expect(await watchOf(one)).toBeUndefined();
    expect(await applyReport(one.process.ctx, { reference: one.order.orderId, finding: { kind: "ask" } }, "first")).toBeNull();
    expect(await pollAfter(one, 0)).toBe(1);
    expect(await stateOf(one)).toBe("FAILED");
    expect(await fixture.balance(one.accountId)).toBe(100);
    expect(await watchOf(one)).toBeUndefined();
  });

  test("that is confirmed is not polled again", async () => {
    const one = await inDoubt({ send: async () => later(), ask: SUCCEEDED });
    await pollAfter(one, MINUTE);
    expect(await stateOf(one)).toBe("SUCCESS");
    expect(await watchOf(one)).toBeUndefined();
  });

  test.each([DECLINED, { kind: "not_found" } as const, UNKNOWN])(
    "is not taken back by $kind: only the provider's plain word does that",
    async (finding) => {
      const one = await inDoubt({ send: SUCCEEDED });
      const order = await findById(fixture.database.sql, one.order.orderId);
      if (!order) throw new Error("gone");
      await applyFinding(one.process.ctx, order, finding);
      expect(await stateOf(one)).toBe("SUCCESS");
      expect(await fixture.balance(one.accountId)).toBe(90);
    },
  );
});

test("a success reported with another amount settles nothing: staff see why, and the status query decides", async () => {
  const one = await inDoubt({ send: PENDING, ask: { kind: "unknown", why: 'amount is "1.00"\0instead of "10.00"' } });
  const { ctx } = one.process;
  const waitingReason = async () => (await readHistory(ctx.sql, one.order)).waiting?.why;
  const seen: ProviderRequest[] = [];
  const differs = (order: ProviderRequest) => {
    seen.push(order);
    return 'amount is "1.00"';
  };
  expect(await applyReport(ctx, { reference: one.order.orderId, finding: SUCCEEDED, differs }, "first")).toBe("differs");
  expect(seen).toMatchObject([{ reference: one.order.orderId, amount: one.order.amount, target: one.order.target }]);
  expect([await stateOf(one), await waitingReason()]).toEqual(["pending", 'unknown: the callback reports a success, but amount is "1.00"']);
  expect(await pollAfter(one, 0)).toBe(1);
  expect([await stateOf(one), await waitingReason()]).toEqual(["pending", 'unknown: amount is "1.00" instead of "10.00"']);
  expect(await fixture.balance(one.accountId)).toBe(90);
  const same = () => null;
  expect(await applyReport(ctx, { reference: one.order.orderId, finding: SUCCEEDED, differs: same }, "first")).toBeNull();
  expect(await stateOf(one)).toBe("SUCCESS");
  expect(await applyReport(ctx, { reference: one.order.orderId, finding: SUCCEEDED, differs }, "first")).toBe("differs");
  expect(await stateOf(one)).toBe("SUCCESS");
});

test("staff see that the provider does not know the order yet, instead of an old reason", async () => {
  const one = await inDoubt({ ask: { kind: "not_found" } });
  expect(await pollAfter(one, 5 * SECOND)).toBe(1);
  expect((await readHistory(one.process.ctx.sql, one.order)).waiting?.why).toBe("not found: the provider has no such request so far");
  expect(await stateOf(one)).toBe("pending");
});

test("a late decline does not end an order that has moved to another provider", async () => {
  const one = await inDoubt({});
  await one.process.ctx.writer.write(failOver(one.order, "second"));
  await applyFinding(one.process.ctx, one.order, DECLINED);
  expect(await stateOf(one)).toBe("pending");
  expect(await fixture.balance(one.accountId)).toBe(90);
});

test("an order that had no provider and whose process died before failing it fails at its first poll", async () => {
  const process = fixture.startProcess();
  const accountId = await fixture.newAccount(process, 100);
  const order = newOrder(accountId, { provider: NO_PROVIDER });
  await process.ctx.writer.write(accept(order));
  await process.ctx.writer.write(watch(order));
  fixture.clock.advance(MINUTE);
  await pollOrders(process.ctx);
  expect(await findById(fixture.database.sql, order.orderId)).toMatchObject({ state: "FAILED", failure: WITHOUT_PROVIDER });
  expect(await fixture.balance(accountId)).toBe(100);
});
