import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connector } from "../../providers/connector.ts";
import { NoFreeReference } from "../../providers/references.ts";
import { placeOrder } from "../place-order.ts";
import { createOrdersFixture, newRequest, type OrdersFixture } from "../testing/fixture.ts";
import { SUCCEEDED, scripted, UNKNOWN } from "../testing/scripted-connector.ts";
import { pollOrders } from "./order-polls.ts";

const HOUR = 3_600_000;
const FORM = { characters: "digits", length: 8, date: "none", prefix: "7777" } as const;

let fixture: OrdersFixture;
beforeAll(async () => {
  fixture = await createOrdersFixture();
  await fixture.database.sql`
    insert into provider_references (provider, reference, subject)
    select 'full', '7777' || lpad(number::text, 4, '0'), 'other ' || number from generate_series(0, 9999) number`;
});
afterAll(async () => {
  expect(await fixture.violations()).toEqual([]);
  await fixture.close();
});

test("a form of references that is used up is found out, and does not keep us looking", async () => {
  const { ctx } = fixture.startProcess();
  await expect(ctx.references.allocate("full", FORM, "mine")).rejects.toThrow(NoFreeReference);
  expect(await ctx.references.allocate("full", { ...FORM, length: 9 }, "mine")).toMatch(/^7777/);
});

test("an order for which its provider's form has no reference goes to the next provider", async () => {
  const full: Connector = { ...scripted({}), referenceForm: FORM };
  const second = scripted({ send: SUCCEEDED });
  const process = fixture.startProcess({ providers: { full, second } });
  const placed = await placeOrder(process.ctx, newRequest(await fixture.newAccount(process, 100)));
  expect(placed).toMatchObject({ kind: "order", order: { state: "SUCCESS", provider: "second" } });
});

test("an order whose status cannot be asked about for lack of a reference stays pending, and delays no other order", async () => {
  const [full, good] = [scripted({ send: UNKNOWN }), scripted({ send: UNKNOWN, ask: SUCCEEDED })];
  const process = fixture.startProcess({ providers: { full } });
  const other = fixture.startProcess({ providers: { good } });
  const place = async (one: typeof process) => {
    const placed = await placeOrder(one.ctx, newRequest(await fixture.newAccount(one, 100)));
    return placed.kind === "order" ? placed.order.orderId : "";
  };
  const [lost, found] = [await place(process), await place(other)];
  fixture.clock.advance(HOUR);
  const connector = (name: string): Connector => (name === "good" ? good : { ...full, referenceForm: FORM });
  const ctx = { ...process.ctx, providerRegistry: { ...process.ctx.providerRegistry, connector } };
  expect(await pollOrders(ctx)).toBe(2);
  const rows = await fixture.database.sql`
    select o.order_id, o.state, p.polls from orders o left join pending_polls p using (account_id, order_id)
    where o.order_id in (${lost}, ${found}) order by o.order_id`;
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { order_id: lost, state: 0, polls: 1 },
    { order_id: found, state: 1, polls: null },
  ]);
});
