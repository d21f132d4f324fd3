import type { Transaction } from "../db/connection.ts";
import type { Money } from "../kernel/money.ts";
import type { Asked, Asker } from "./approval.ts";
import type { ApprovalsContext } from "./context.ts";
import { type Area, thresholdOf } from "./rules.ts";
import { readRules } from "./rules-store.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
// An act on several accounts counts by itself.
const SEVERAL = "";

type Act = Pick<Asked, "about" | "accountId"> & { readonly area: Area; readonly amount: Money };

/**
 * Whether the amount, together with what the same person did to the same account within 24 hours without approval, reaches
 * the threshold. If it does not, the act is counted, so that many small ones come to the same as one large one.
 */
export async function countsAsLarge(ctx: ApprovalsContext, asker: Asker, act: Act): Promise<boolean> {
  return await ctx.sql.begin(async (tx) => {
    const threshold = thresholdOf(await readRules(tx), act.area);
    if (threshold === null) return false;
    const at = new Date(ctx.clock.now());
    await lockActs(tx, asker.person, act, at);
    const before = await sumActs(tx, asker.person, act, new Date(at.getTime() - DAY_MILLISECONDS));
    const amount = act.amount < 0n ? -act.amount : act.amount;
    if (before + amount >= threshold) return true;
    await insertAct(tx, asker.person, { ...act, amount: amount as Money }, at);
    return false;
  });
}

/** Acts that no longer count. */
export async function sweepActs(ctx: Pick<ApprovalsContext, "sql" | "clock">): Promise<void> {
  const before = new Date(ctx.clock.now() - 2 * DAY_MILLISECONDS);
  await ctx.sql`delete from approval_acts where at < ${before}`;
  await ctx.sql`delete from approval_act_locks where at < ${before}`;
}

/** Until the transaction ends, nobody else counts an act of this person on this account. */
async function lockActs(tx: Transaction, person: string, { area, accountId }: Act, at: Date): Promise<void> {
  await tx`
    insert into approval_act_locks (person, area, account_id, at) values (${person}, ${area}, ${accountId ?? SEVERAL}, ${at})
    on conflict (person, area, account_id) do update set at = excluded.at`;
}

async function sumActs(tx: Transaction, person: string, { area, accountId, about }: Act, since: Date): Promise<bigint> {
  const [row] = await tx<{ sum: bigint }[]>`
    select coalesce(sum(amount), 0)::bigint as sum from approval_acts
    where person = ${person} and area = ${area} and account_id = ${accountId ?? SEVERAL} and at > ${since} and about <> ${about}`;
  return row?.sum ?? 0n;
}

async function insertAct(tx: Transaction, person: string, { area, accountId, about, amount }: Act, at: Date): Promise<void> {
  await tx`
    insert into approval_acts (person, area, account_id, about, amount, at)
    values (${person}, ${area}, ${accountId ?? SEVERAL}, ${about}, ${amount}, ${at})
    on conflict (person, area, about) do update set amount = greatest(approval_acts.amount, excluded.amount), at = excluded.at`;
}
