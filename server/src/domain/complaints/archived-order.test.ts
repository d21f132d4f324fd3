import { beforeEach, expect, test } from "vitest";
import { orderIdAt } from "../../platform/core/ids.ts";
import { connect } from "../../platform/db/connection.ts";
import { keepOrdersOfComplaints } from "./archived-order.ts";
import { type Client, createFixture, type Fixture } from "./testing/fixture.ts";

let fixture: Fixture;
let client: Client;
beforeEach(async () => {
  fixture = await createFixture();
  client = await fixture.client();
  return () => fixture.close();
});

const DAY_MILLISECONDS = 24 * 3_600_000;

/** Lets all orders leave the database, as the move of their month does, and goes to a time when it may. */
async function archiveOrders(): Promise<void> {
  const { settings } = fixture.operator;
  const { sql: owner, close } = connect({ url: settings.database.url, connections: 1, role: null });
  const end = orderIdAt(settings.clock.now() + DAY_MILLISECONDS);
  await owner.begin(async (tx) => {
    await keepOrdersOfComplaints(tx, "", end);
    await tx`
      insert into archived_months (month, first_order_id, end_order_id, checked_from, manifest_sha256, detached_at)
      values ('2026-01', '0', ${end}, '', '', now())`;
    await tx`delete from orders`;
  });
  await close();
  settings.clock.advance(100 * DAY_MILLISECONDS);
}

const WINDOW_CLOSED = { status: 422, body: { error: "complaint_window_closed", code: 155 } };
const NOT_FOUND = { status: 404, body: { error: "not_found" } };

test("a decided complaint is shown as before when the month of its order has left", async () => {
  const ref = await client.complaint(await client.order({ reference: "first" }));
  await fixture.clear(ref, "stands");
  const before = [await client.get(`/complaints/${ref}`), (await client.get("/complaints")).body.items];
  const staff = [
    (await fixture.operator.get(`/complaints/${ref}`)).body,
    (await fixture.operator.get("/complaints?search=first")).body.items,
  ];
  expect([before[1], staff[1]]).toMatchObject([[{ urid: "first", transaction_status: "SUCCESS" }], [{ complaint_ref: ref }]]);
  await archiveOrders();
  expect([await client.get(`/complaints/${ref}`), (await client.get("/complaints")).body.items]).toEqual(before);
  expect([
    (await fixture.operator.get(`/complaints/${ref}`)).body,
    (await fixture.operator.get("/complaints?search=first")).body.items,
  ]).toEqual(staff);
  expect(await fixture.clear(ref, "refund")).toMatchObject({ status: 409 });
});

test("a complaint about an order of an archived month comes too late, and is not found for another account", async () => {
  const orderId = await client.order({ reference: "old" });
  const about = { reason: "other", description: "It is old." };
  await archiveOrders();
  expect(await client.complain({ ...about, urid: "old" })).toMatchObject(WINDOW_CLOSED);
  expect(await client.complain({ ...about, order_id: orderId })).toMatchObject(WINDOW_CLOSED);
  expect(await client.complain({ ...about, urid: "never" })).toMatchObject(NOT_FOUND);
  const other = await fixture.client();
  expect(await other.complain({ ...about, order_id: orderId })).toMatchObject(NOT_FOUND);
  expect(await other.complain({ ...about, urid: "old" })).toMatchObject(NOT_FOUND);
});

test("a repeated complaint_request_id gets its complaint also when the order is archived, and is never used again", async () => {
  await client.order({ reference: "old" });
  const request = { urid: "old", reason: "other", description: "Sent twice.", complaint_request_id: "C1" };
  const { body } = await client.complain(request);
  await fixture.clear(body.complaint_ref, "stands");
  await archiveOrders();
  expect(await client.complain(request)).toMatchObject({ status: 200, body: { complaint_ref: body.complaint_ref, urid: "old" } });
  await client.order({ reference: "new" });
  expect(await client.complain({ ...request, urid: "new" })).toMatchObject({
    status: 409,
    body: { error: "duplicate_reference", complaint_ref: body.complaint_ref, order_id: body.order_id },
  });
});
