import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrdersFixture, ids, type OrdersFixture } from "../../orders/testing/fixture.ts";
import { refused } from "../../shared/refusals.ts";
import type { SignedContext } from "./context.ts";
import { type OperationReference, oncePerReference } from "./once-per-reference.ts";

let fixture: OrdersFixture;
let ctx: SignedContext;
beforeAll(async () => {
  fixture = await createOrdersFixture();
  ctx = fixture.startProcess().ctx as SignedContext;
});
afterAll(() => fixture.close());

const reference = (more: Partial<OperationReference> = {}): OperationReference => ({
  accountId: ids.account(),
  operation: "/bus/block",
  requestId: "r1",
  fingerprint: "same",
  ...more,
});

test("the first makes the record, a repeat finds it, and other details are a duplicate", async () => {
  const first = reference();
  expect(await oncePerReference(ctx, first, async () => "B1")).toEqual({ kind: "recorded", record: "B1", made: true });
  expect(await oncePerReference(ctx, first, async () => "B2")).toEqual({ kind: "recorded", record: "B1", made: false });
  expect(await oncePerReference(ctx, { ...first, fingerprint: "other" }, async () => "B3")).toMatchObject({ error: "duplicate_reference" });
});

test("the same reference in another call or another account is another one", async () => {
  const first = reference();
  await oncePerReference(ctx, first, async () => "B1");
  for (const other of [{ ...first, operation: "/bus/cancel" }, reference()])
    expect(await oncePerReference(ctx, other, async () => "B2")).toMatchObject({ record: "B2", made: true });
});

test("a refusal undoes what was written and leaves the reference free", async () => {
  const first = reference();
  const inner = reference({ accountId: first.accountId, requestId: "inner" });
  const refusal = await oncePerReference(ctx, first, async (tx) => {
    await tx`
      insert into idempotent_requests (account_id, operation, request_id, fingerprint, record, created_at)
      values (${inner.accountId}, ${inner.operation}, ${inner.requestId}, 'same', 'X', now())`;
    return refused("seat_unavailable", "Taken.");
  });
  expect(refusal).toMatchObject({ kind: "refused", error: "seat_unavailable" });
  for (const one of [first, inner]) expect(await oncePerReference(ctx, one, async () => "B2")).toMatchObject({ record: "B2", made: true });
});

test("fifty at once make one record", async () => {
  const first = reference();
  let made = 0;
  const answers = await Promise.all(Array.from({ length: 50 }, () => oncePerReference(ctx, first, async () => `B${++made}`)));
  expect(made).toBe(1);
  expect(answers.filter((one) => one.kind === "recorded" && one.made)).toHaveLength(1);
  expect(new Set(answers.map((one) => (one.kind === "recorded" ? one.record : one.error)))).toEqual(new Set(["B1"]));
});
