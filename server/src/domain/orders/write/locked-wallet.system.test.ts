import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../../../platform/db/connection.ts";
import { codeOf } from "../../../platform/db/database-errors.ts";
import { acceptWithGuard } from "../accept-with-guard.ts";
import { createOrdersFixture, newOrder, type OrdersFixture } from "../testing/fixture.ts";
import { accept, settle, topUp } from "../testing/operations.ts";

let fixture: OrdersFixture;
beforeAll(async () => {
  fixture = await createOrdersFixture();
});
afterAll(async () => {
  expect(await fixture.violations()).toEqual([]);
  await fixture.close();
});

type Lock = { readonly release: () => Promise<void> };

/** A transaction of another session that stays open. */
async function lock(statement: string): Promise<Lock> {
  const stranger = connect({ url: fixture.database.url, connections: 1, role: null });
  await stranger.sql.unsafe(`begin; ${statement}`);
  return {
    release: async () => {
      await stranger.sql.unsafe("rollback");
      await stranger.close();
    },
  };
}

const LOCKS: Readonly<Record<string, (accountId: string) => string>> = {
  "its wallet": (accountId) => `select from wallets where account_id = '${accountId}' for update`,
  "the place of its next transfer": (accountId) =>
    `insert into transfers (account_id, seq, kind, from_bucket, to_bucket, amount, available_after, reference, narration, at)
     values ('${accountId}', 2, 'topup', 'funding', 'available', 1, 1, 'stranger', '', now())`,
};

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => codeOf(error),
  );

test.each(Object.keys(LOCKS))("an account with a lock on %s waits alone; all other accounts continue", async (name) => {
  const { ctx } = fixture.startProcess();
  const [locked, other] = [
    await fixture.newAccount({ ctx, connection: fixture.owner }, 1_000),
    await fixture.newAccount({ ctx, connection: fixture.owner }, 1_000),
  ];
  const held = await lock(LOCKS[name]?.(locked) ?? "");
  const refused = failure(ctx.writer.write(accept(newOrder(locked))));
  // In the same batch, and again while the locked account is queued separately.
  expect(await ctx.writer.write(accept(newOrder(other)))).toMatchObject({ kind: "done" });
  expect(await ctx.writer.write(accept(newOrder(other)))).toMatchObject({ kind: "done" });
  expect(ctx.writer.isBlocked(locked)).toBe(true);
  expect(ctx.writer.isBlocked(other)).toBe(false);
  expect(await refused).toBe("55P03");
  await held.release();
  expect(await ctx.writer.write(accept(newOrder(locked)))).toMatchObject({ kind: "done" });
  expect(await fixture.balance(locked)).toBe(990);
});

test("a settlement of a locked account is written once the lock is released; a request is refused in time", async () => {
  const { ctx } = fixture.startProcess();
  const accountId = await fixture.newAccount({ ctx, connection: fixture.owner }, 1_000);
  const order = newOrder(accountId);
  await ctx.writer.write(accept(order));
  const held = await lock(`select from wallets where account_id = '${accountId}' for update`);
  const settled = ctx.writer.write(settle(order, "SUCCESS"));
  expect(await failure(ctx.writer.write(topUp(accountId, 5, "by staff")))).toBe("55P03");
  await held.release();
  expect(await settled).toMatchObject({ kind: "done" });
});

test("a limited number of signed orders wait for a locked wallet, and all are refused in time", async () => {
  const { ctx } = fixture.startProcess();
  const accountId = await fixture.newAccount({ ctx, connection: fixture.owner }, 1_000);
  const held = await lock(`select from wallets where account_id = '${accountId}' for update`);
  const accepts = Array.from({ length: 30 }, () => failure(acceptWithGuard(ctx, accept(newOrder(accountId)), async () => null)));
  // The pool has ten connections: with all of them waiting for the lock this would wait too.
  expect(await ctx.sql`select 1 as one`).toMatchObject([{ one: 1 }]);
  expect(new Set(await Promise.all(accepts))).toEqual(new Set(["55P03"]));
  await held.release();
  expect(await acceptWithGuard(ctx, accept(newOrder(accountId)), async () => null)).toMatchObject({ kind: "done" });
});

test("a locked table is reported as a stall", async () => {
  const { ctx } = fixture.startProcess();
  const accounts = [
    await fixture.newAccount({ ctx, connection: fixture.owner }, 100),
    await fixture.newAccount({ ctx, connection: fixture.owner }, 100),
  ];
  expect(ctx.writer.stalledMilliseconds()).toBe(0);
  const held = await lock("lock table wallets in access exclusive mode");
  const writes = accounts.map((accountId) => failure(ctx.writer.write(accept(newOrder(accountId)))));
  while (ctx.writer.stalledMilliseconds() < 2_000) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(new Set(await Promise.all(writes))).toEqual(new Set(["55P03"]));
  await held.release();
  expect(await ctx.writer.write(accept(newOrder(accounts[0] ?? "")))).toMatchObject({ kind: "done" });
});
