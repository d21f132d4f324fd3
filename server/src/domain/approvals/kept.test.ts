import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Database } from "../../platform/db/connection.ts";
import { approve, reject } from "./decide-approval.ts";
import { type ApprovalsFixture, createApprovalsFixture, staff, walletMove } from "./testing/fixture.ts";

// What the database itself does not let happen, whatever the application says; tried as the owner of the tables.
let fixture: ApprovalsFixture;
let owner: Database;
beforeAll(async () => {
  fixture = await createApprovalsFixture();
  owner = connect({ url: fixture.settings.database.url, connections: 1, role: null });
});
afterAll(async () => {
  await owner.close();
  await fixture.close();
});

const [maker, checker] = [staff("MAKER"), staff("CHECKER")];

async function waiting(): Promise<string> {
  return (await fixture.ask(maker, walletMove(await fixture.account(100), -10, "out"))).approvalId;
}

async function done(): Promise<string> {
  const approvalId = await waiting();
  await approve(fixture.ctx, checker, { approvalId, reason: null });
  return approvalId;
}

async function change(approvalId: string, assignments: string): Promise<string> {
  return await owner.sql.unsafe(`update approvals set ${assignments} where approval_id = '${approvalId}'`).then(
    ({ count }) => `changed ${count}`,
    (error: Error) => error.message,
  );
}

const DECISION = "decided_by = 'staff:X', decided_at = now()";

test("the requester cannot approve", async () => {
  const own = `state = 'approved', ${DECISION}, checker_person = '${maker.person}'`;
  expect(await change(await waiting(), own)).toContain("approvals_four_eyes");
  expect(await change(await waiting(), `state = 'approved', ${DECISION}, checker_person = null`)).toContain("approvals_checked");
  expect(await change(await waiting(), "state = 'approved', checker_person = 'staff:X'")).toContain("approvals_decided");
});

test.each([
  "kind = 'reverse'",
  "about = 'else'",
  `input = '{"amount":"1.0000"}'`,
  "amount = -1",
  "amount = null",
  "account_id = 'A1'",
  "order_id = 'O1'",
  "made_by = 'staff:X'",
  "maker_person = 'staff:X'",
  "created_at = now()",
  "expires_at = now()",
])("what was asked for never changes: %s", async (assignment) => {
  expect(await change(await waiting(), assignment)).toContain("cannot change");
  expect(await change(await done(), assignment)).toContain("cannot change");
});

test("a decision is made once and an end is the end", async () => {
  const ended = await done();
  for (const state of ["waiting", "approved", "rejected", "failed", "done"])
    expect(await change(ended, `state = '${state}'`)).toMatch(/cannot become|approvals_/);
  const refused = await waiting();
  await reject(fixture.ctx, checker, { approvalId: refused, reason: "no" });
  expect(await change(refused, "state = 'approved'")).toContain("cannot become");
  const agreed = await waiting();
  await approve({ ...fixture.ctx, executors: {} }, checker, { approvalId: agreed, reason: null });
  expect(await change(agreed, "checker_person = 'staff:X'")).toContain("decided once");
  expect(await change(agreed, "decided_by = 'staff:X'")).toContain("decided once");
  expect(await change(agreed, "state = 'waiting', decided_by = null, checker_person = null, decided_at = null")).toContain("cannot become");
  expect(await change(agreed, "begun_at = now()")).toBe("changed 1");
  expect(await change(agreed, "begun_at = null")).toContain("begun once");
});

test("none goes away", async () => {
  const approvalId = await waiting();
  await expect(owner.sql`delete from approvals where approval_id = ${approvalId}`).rejects.toThrow("stays on record");
  await expect(fixture.ctx.sql`delete from approvals`).rejects.toThrow("permission denied");
  await expect(fixture.ctx.sql`delete from approval_rules`).rejects.toThrow("permission denied");
  await expect(fixture.ctx.sql`insert into approval_rules default values`).rejects.toThrow("approval_rules_pkey");
});
