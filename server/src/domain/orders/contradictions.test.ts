import { afterAll, beforeAll, expect, test } from "vitest";
import type { Log } from "../../platform/observability/log.ts";
import type { Outcome } from "../providers/connector.ts";
import { settleManually } from "./change-manually.ts";
import { placeOrder } from "./place-order.ts";
import { findById } from "./store.ts";
import { createOrdersFixture, newRequest, type OrdersFixture } from "./testing/fixture.ts";
import { DECLINED, deferred, SUCCEEDED, scripted } from "./testing/scripted-connector.ts";

let fixture: OrdersFixture;
beforeAll(async () => {
  fixture = await createOrdersFixture();
});
afterAll(async () => {
  expect(await fixture.violations()).toEqual([]);
  await fixture.close();
});

test.each([
  ["FAILED", SUCCEEDED, 100, ["SUCCESS"]],
  ["SUCCESS", { ...DECLINED, decline: "final" } as Outcome, 90, ["FAILED"]],
  ["SUCCESS", SUCCEEDED, 90, []],
] as const)(
  "an order that staff settled as %s while its provider worked stays so, and a contradicting answer is logged",
  async (to, outcome, left, logged) => {
    const [sent, answer] = [deferred<null>(), deferred<Outcome>()];
    const send = () => {
      sent.resolve(null);
      return answer.promise;
    };
    const process = fixture.startProcess({ providers: { first: scripted({ send }) } });
    const answers: unknown[] = [];
    const error = ((fields: { readonly answer?: string }) => void answers.push(fields.answer)) as Log["error"];
    const ctx = { ...process.ctx, log: Object.assign(Object.create(process.ctx.log) as Log, { error }) };
    const accountId = await fixture.newAccount(process, 100);
    const placing = placeOrder(ctx, newRequest(accountId));
    await sent.promise;
    const [row] = await fixture.database.sql<{ order_id: string }[]>`select order_id from orders where account_id = ${accountId}`;
    const orderId = row?.order_id ?? "";
    await settleManually(ctx, "staff", { orderId, to, operatorRef: null, reason: "told by telephone" });
    answer.resolve(outcome);
    await placing;
    expect((await findById(fixture.database.sql, orderId))?.state).toBe(to);
    expect([await fixture.balance(accountId), answers]).toEqual([left, logged]);
  },
);
