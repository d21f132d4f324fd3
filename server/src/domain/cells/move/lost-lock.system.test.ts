import { afterAll, beforeAll, expect, test } from "vitest";
import { CANCEL_STEPS, cancelMove, type MoveContext, type MoveResult, moveAccount, STEPS, type Step } from "./move-account.ts";
import { Killed, startTwoCells, TEN_RUPEES, type TwoCells } from "./testing/two-cells.ts";

let cells: TwoCells;

beforeAll(async () => {
  cells = await startTwoCells();
});
afterAll(async () => await cells?.stop());

/** What another command does after it has got the lock. Returns the cell that serves the account then. */
const OTHERS: Readonly<Record<string, (accountId: string) => Promise<number>>> = {
  "moved the account": async (accountId) => {
    expect(await moveAccount(cells.moving(), accountId, 1)).toMatchObject({ kind: "done" });
    return 1;
  },
  "moved the account and moved it back": async (accountId) => {
    expect(await moveAccount(cells.moving(), accountId, 1)).toMatchObject({ kind: "done" });
    expect(await moveAccount(cells.moving(), accountId, 0)).toMatchObject({ kind: "done" });
    return 0;
  },
  "cancelled the move": async (accountId) => {
    expect(await cancelMove(cells.moving(), accountId)).toMatchObject({ kind: "done" });
    return 0;
  },
};

const AFTER_SWITCH: readonly Step[] = ["open", "clean", "record end"];
const canHappen = (step: Step, other: string) => other !== "cancelled the move" || (step !== "begin" && !AFTER_SWITCH.includes(step));

function pairs(steps: readonly Step[]): readonly (readonly [Step, string])[] {
  return steps.flatMap((step) => Object.keys(OTHERS).flatMap((other) => (canHappen(step, other) ? [[step, other] as const] : [])));
}

type Command = (ctx: MoveContext, accountId: string) => Promise<MoveResult>;

/** Runs a command that loses the lock before a step, while another one does its work, and checks the account after it. */
async function expectHarmless(run: Command, accountId: string, step: Step, other: string): Promise<void> {
  let cell = -1;
  const stale = cells.movingWith(step, async () => {
    await cells.loseMovesLock();
    cell = (await OTHERS[other]?.(accountId)) ?? -1;
    await cells.topUp(cell, accountId, "after the other command");
  });
  await expect(run(stale, accountId)).rejects.toThrow("has lost its connection to the home cell");
  await cells.topUp(cell, accountId, "after the stale command");
  expect(await cells.balanceIn(cell, accountId)).toBe(3n * TEN_RUPEES);
  expect([await cells.countAccounts(cell, accountId), await cells.countAccounts(1 - cell, accountId)]).toEqual([1, 0]);
  expect(await cells.sqlOf(0)`select from account_cells where account_id = ${accountId} and (held or cell <> ${cell})`).toHaveLength(0);
  await expectMovable(accountId, cell);
}

/** Nothing is left over that a later move stumbles on. */
async function expectMovable(accountId: string, cell: number): Promise<void> {
  expect(await moveAccount(cells.moving(), accountId, 1 - cell)).toMatchObject({ kind: "done" });
  expect(await cells.balanceIn(1 - cell, accountId)).toBe(3n * TEN_RUPEES);
  await expect(cells.topUp(cell, accountId, "late")).rejects.toMatchObject({ code: "ACCOUNT_MOVED" });
}

test.each(pairs(STEPS))("a move that loses its lock before %s changes nothing after another command has %s", async (step, other) => {
  const accountId = await cells.newAccount();
  await expectHarmless((ctx, id) => moveAccount(ctx, id, 1), accountId, step, other);
});

test.each(pairs(CANCEL_STEPS))(
  "a cancel that loses its lock before %s changes nothing after another command has %s",
  async (step, other) => {
    const accountId = await cells.newAccount();
    await expect(moveAccount(cells.killedBefore("switch"), accountId, 1)).rejects.toThrow(Killed);
    await expectHarmless(cancelMove, accountId, step, other);
  },
);

test("the data of an account is not deleted in a cell that serves it, even if home says that it has left", async () => {
  const accountId = await cells.newAccount();
  // As after a failover of home that has lost what was recorded since.
  const reopened = cells.movingWith("clean", async () => {
    await cells.sqlOf(0)`update wallets set moved_to = null where account_id = ${accountId}`;
  });
  await expect(moveAccount(reopened, accountId, 1)).rejects.toThrow("This cell serves the account");
  expect(await cells.balanceIn(0, accountId)).toBe(TEN_RUPEES);
});
