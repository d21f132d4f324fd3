import { afterAll, beforeAll, expect, test } from "vitest";
import { createFixture, type Fixture } from "../../../domain/complaints/testing/fixture.ts";
import { keyDigest } from "../authenticate.ts";

const CHECKER = `opk_${"c".repeat(43)}`;
const OWN = `opk_${"o".repeat(43)}`;

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
  const { operator, ctx } = fixture;
  await operator.post("/approval-rules", { order_threshold: "10.00", keys_included: true });
  const at = new Date();
  await ctx.sql`
    insert into users (user_id, realm, email, name, role, created_at, updated_at)
    values ('SOMEBODY', 'console', 'somebody@corprail.example', 'Ravi', 'admin', ${at}, ${at})`;
  for (const [keyId, key, person] of [
    ["KCHECKER", CHECKER, "staff:SOMEBODY"],
    ["KOWN", OWN, "operator-key"],
  ] as const)
    await ctx.sql`insert into operator_keys (key_id, name, digest, created_by, created_at) values (${keyId}, ${keyId}, ${keyDigest(key)}, ${person}, ${at})`;
});
afterAll(async () => {
  await fixture.expectSoundLedger();
  await fixture.close();
});

test("a complaint that is cleared with a refund waits, a complaint that is refused does not", async () => {
  const client = await fixture.client({ callback_url: "https://93.184.215.14/a", complaint_callback_url: "https://93.184.215.14/b" });
  const [first, second] = [await client.order(), await client.order()];
  const [refunded, standing] = [await client.complaint(first), await client.complaint(second)];
  expect((await fixture.clear(standing, "stands")).status).toBe(200);
  const before = await client.balance();
  const held = await fixture.clear(refunded, "refund");
  expect(held).toMatchObject({
    status: 202,
    body: { approval: { kind: "complaint_refund", order_id: first, account_id: client.accountId } },
  });
  expect([await client.balance(), await client.state(first)]).toEqual([before, 1]);
  const path = `/approvals/${held.body.approval.approval_id}/approve`;
  // A key of the same person is not a second pair of eyes.
  for (const key of [undefined, OWN]) expect((await fixture.operator.post(path, {}, key ? { key } : {})).status).toBe(409);
  const sent = (await client.callbacks()).length;
  const done = await fixture.operator.post(path, {}, { key: CHECKER });
  expect(done).toMatchObject({ status: 200, body: { state: "done", result: { status: "REFUNDED", refund_amount: "10.0000" } } });
  expect([await client.balance(), await client.state(first)]).toEqual([before + 100_000n, 2]);
  expect(await client.callbacks()).toHaveLength(sent + 2);
  const { items } = (await fixture.operator.get(`/audit?subject_kind=complaint&subject_id=${refunded}&limit=1`)).body;
  expect(items[0]).toMatchObject({
    actor: "key:KCHECKER",
    action: "complaint.cleared",
    details: { approval_id: held.body.approval.approval_id, made_by: "operator-key" },
  });
});

test("a refund that is blocked when it is agreed to has failed, and moves nothing", async () => {
  const client = await fixture.client();
  const complaint = await client.complaint(await client.order());
  const held = await fixture.clear(complaint, "refund");
  await fixture.operator.post(`/accounts/${client.accountId}`, { wallet: "suspended" });
  const before = await client.balance();
  const done = await fixture.operator.post(`/approvals/${held.body.approval.approval_id}/approve`, {}, { key: CHECKER });
  expect(done.body).toMatchObject({ state: "failed", result: { reason: "The refund is blocked: The wallet is suspended." } });
  expect(await client.balance()).toBe(before);
  const { items } = (await fixture.operator.get("/complaints?status=OPEN")).body;
  expect(items).toMatchObject([{ complaint_ref: complaint, stage: "refund_blocked" }]);
});
