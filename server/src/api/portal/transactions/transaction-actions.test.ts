import { afterAll, beforeAll, expect, test } from "vitest";
import { buildOrder } from "../../../domain/complaints/testing/build-order.ts";
import { reverseManually } from "../../../domain/orders/change-manually.ts";
import { indiaDate } from "../../../platform/core/india-time.ts";
import { createPortalFixture, type PortalFixture, type Visitor } from "../testing/fixture.ts";
import { accountWithOrders, untilNoon } from "../testing/orders.ts";

let fixture: PortalFixture;
beforeAll(async () => {
  fixture = await createPortalFixture();
  untilNoon(fixture);
});
afterAll(() => fixture.close());

type Item = { readonly order_id: string; readonly shown: string; readonly status: string };

async function list(visitor: Visitor, query: string): Promise<{ readonly items: readonly Item[]; readonly next: string | null }> {
  const answer = await visitor.get(`/transactions?${query}`);
  expect(answer.status).toBe(200);
  return answer.body;
}

const idsOf = (items: readonly Item[]) => items.map((item) => item.order_id);

test("every filter shows exactly its transactions, and a success that was taken back reads Reversed", async () => {
  const [accountId, ids] = await accountWithOrders(fixture, [
    { state: "SUCCESS" },
    { state: "FAILED" },
    { state: "pending" },
    { state: "SUCCESS", service: "bills", reference: "MY-BILL" },
    { state: "SUCCESS" },
  ]);
  const [good, bad, open, bill, taken] = ids as [string, string, string, string, string];
  expect(await reverseManually(fixture.ctx.orders, "test", { orderId: taken, reason: "The number was wrong." })).toEqual({ kind: "done" });
  const visitor = fixture.as("read_only", accountId);
  const today = indiaDate(fixture.ctx.clock.now());
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["", [taken, bill, open, bad, good]],
    ["status=SUCCESS", [bill, good]],
    ["status=FAILED", [taken, bad]],
    ["status=Reversed", [taken]],
    ["status=pending", [open]],
    ["service=bills", [bill]],
    ["service=recharge&status=Reversed", [taken]],
    ["service=bus", []],
    ["operator=AT", [taken, bill, open, bad, good]],
    ["operator=JO", []],
    [`search=${good}`, [good]],
    ["search=MY-BILL", [bill]],
    ["search=9876543210", [taken, bill, open, bad, good]],
    ["search=9876543210&status=Reversed", [taken]],
    ["search=987654321", [taken, bill, open, bad, good]],
    ["search=my-bil", [bill]],
    ["search=98%10", []],
    [`from=${today}&to=${today}`, [taken, bill, open, bad, good]],
    ["from=2020-01-01&to=2020-01-31", []],
  ];
  for (const [query, wanted] of cases) expect([query, idsOf((await list(visitor, query)).items)]).toEqual([query, wanted]);
  const { items } = await list(visitor, "status=FAILED");
  expect(items.map(({ status, shown }) => [status, shown])).toEqual([
    ["FAILED", "Reversed"],
    ["FAILED", "FAILED"],
  ]);
});

test.each(["", "&status=SUCCESS", "&operator=AT", "&service=recharge"])(
  "pages show each transaction once while new ones arrive%s",
  async (filter) => {
    const [accountId, ids] = await accountWithOrders(
      fixture,
      Array.from({ length: 25 }, () => ({})),
    );
    const visitor = fixture.as("owner", accountId);
    const seen: string[] = [];
    let after = "";
    for (;;) {
      const page = await list(visitor, `limit=4${filter}${after}`);
      seen.push(...idsOf(page.items));
      if (page.next === null) break;
      after = `&after=${page.next}`;
      await buildOrder(fixture.ctx.orders, accountId, {});
    }
    expect(seen).toEqual(ids.toReversed());
  },
);

test("pending ones are found whether their process still has them or somebody watches them", async () => {
  const [accountId, ids] = await accountWithOrders(fixture, [{ state: "pending" }, { state: "pending" }]);
  const [old, fresh] = ids as [string, string];
  const { sql } = fixture.settings.database;
  const moved = `0${old.slice(1, 5)}000000${old.slice(11)}`;
  await sql`update orders set order_id = ${moved}, created_at = created_at - interval '1 day' where order_id = ${old}`;
  await sql`insert into pending_polls (account_id, order_id, why, since, due_at) values (${accountId}, ${moved}, 'pending', now(), now())`;
  const visitor = fixture.as("operations", accountId);
  expect(idsOf((await list(visitor, "status=pending")).items)).toEqual([fresh, moved]);
  const first = await list(visitor, "status=pending&limit=1");
  expect(idsOf(first.items)).toEqual([fresh]);
  expect(idsOf((await list(visitor, `status=pending&limit=1&after=${first.next}`)).items)).toEqual([moved]);
});

test("another account's transactions are not there", async () => {
  const [, ids] = await accountWithOrders(fixture, [{ reference: "THEIRS" }]);
  const [accountId] = await accountWithOrders(fixture, []);
  const visitor = fixture.as("owner", accountId);
  expect((await visitor.get(`/transactions/${ids[0]}`)).status).toBe(404);
  for (const query of ["", `search=${ids[0]}`, "search=THEIRS", "search=9876543210", "status=pending", "status=Reversed"])
    expect((await list(visitor, query)).items).toEqual([]);
});

test.each(["after=nonsense", "after=Li4v", "limit=0", "limit=201", "status=success", "from=2026-02-30", "from=2026-02-02&to=2026-02-01"])(
  "a list refuses %s",
  async (query) => {
    const [accountId] = await accountWithOrders(fixture, []);
    const answer = await fixture.as("owner", accountId).get(`/transactions?${query}`);
    expect([answer.status, answer.body.error]).toEqual([400, "invalid_request"]);
  },
);
