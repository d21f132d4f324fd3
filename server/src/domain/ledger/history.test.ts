import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrdersFixture, type OrdersFixture } from "../orders/testing/fixture.ts";

let fixture: OrdersFixture;
let accountId: string;
beforeAll(async () => {
  fixture = await createOrdersFixture();
  accountId = await fixture.newAccount(fixture.startProcess(), 100);
});
afterAll(() => fixture.close());

test.each([
  "update transfers set amount = amount + 1",
  "update transfers set narration = '' where false",
  "delete from transfers",
  "delete from transfers where false",
  "truncate transfers",
  "insert into transfers_default select * from transfers",
  "update transfers_default set amount = 1",
  "delete from transfers_default",
  "update transfer_references set amount = 1",
  "alter table transfers detach partition transfers_default",
  "alter table transfers add column later text",
  "drop table transfers",
])("the application's role may not: %s", async (statement) => {
  const refusal = await fixture.database.sql.unsafe(statement).then(
    () => "done",
    (error: unknown) => (error as { readonly code?: string }).code,
  );
  expect(refusal).toBe("42501");
});

test("a transfer stays as it was written", async () => {
  const rows = await fixture.database.sql`select seq, kind, amount, available_after from transfers where account_id = ${accountId}`;
  expect(rows.map((row) => ({ ...row }))).toEqual([{ seq: 1n, kind: "topup", amount: 1_000_000n, available_after: 1_000_000n }]);
});

test.each([
  ["a wallet out of balance", "update wallets set available = available + 1", "wallets_balanced"],
  ["an uncovered debt", "update wallets set available = -1, funding = funding + available + 1", "wallets_covered"],
  ["less than nothing held", "update wallets set held = -1, available = available + held + 1", "wallets_held"],
])("the database itself refuses %s", async (_, statement, constraint) => {
  await expect(fixture.owner.unsafe(statement)).rejects.toMatchObject({ code: "23514", constraint_name: constraint });
});
