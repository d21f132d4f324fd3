import { afterAll, beforeAll, expect, test } from "vitest";
import { buildOrder } from "../../../domain/complaints/testing/build-order.ts";
import { indiaDate } from "../../../platform/core/india-time.ts";
import { createPortalFixture, type PortalFixture, type Visitor } from "../testing/fixture.ts";
import { fund, untilNoon } from "../testing/orders.ts";

let fixture: PortalFixture;
let accountId: string;
let visitor: Visitor;
beforeAll(async () => {
  fixture = await createPortalFixture();
  untilNoon(fixture);
  ({ accountId } = await fixture.newAccount());
  await fund(fixture, accountId, 1_000);
  visitor = fixture.as("owner", accountId);
});
afterAll(() => fixture.close());

async function complain(reference: string): Promise<{ readonly ref: string; readonly orderId: string }> {
  const orderId = await buildOrder(fixture.ctx.orders, accountId, { reference });
  const { body } = await visitor.post("/complaints", { order_id: orderId, reason: "not_credited", description: "Nothing came." });
  return { ref: body.complaint_ref, orderId };
}

async function found(query: string): Promise<readonly string[]> {
  const { status, body } = await visitor.get(`/complaints?${query}`);
  expect(status).toBe(200);
  return body.items.map((one: { complaint_ref: string }) => one.complaint_ref);
}

test("complaints are found by parts of their reference, order, urid and number, and by days, in one's own account only", async () => {
  const [first, second] = [await complain("INV-100%"), await complain("INV-2000")];
  expect(await found("")).toEqual([second.ref, first.ref]);
  expect(await found("search=inv-")).toEqual([second.ref, first.ref]);
  expect(await found(`search=${first.ref.slice(3, 12).toLowerCase()}`)).toEqual([first.ref]);
  expect(await found(`search=${second.orderId.slice(4)}`)).toEqual([second.ref]);
  expect(await found("search=6543210&status=OPEN")).toEqual([second.ref, first.ref]);
  expect(await found("search=6543210&status=REFUNDED")).toEqual([]);
  // A percent sign is a character like any other.
  expect(await found("search=0%25")).toEqual([first.ref]);
  const today = indiaDate(fixture.ctx.clock.now());
  expect(await found(`from=${today}&to=${today}`)).toEqual([second.ref, first.ref]);
  expect(await found("to=2020-01-01")).toEqual([]);
  expect((await visitor.get(`/complaints?from=${today}&to=2020-01-01`)).status).toBe(400);
  const { body } = await fixture.as("owner", (await fixture.newAccount()).accountId).get("/complaints?search=INV");
  expect(body.items).toEqual([]);
});
