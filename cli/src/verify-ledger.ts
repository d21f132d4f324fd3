import { cellName } from "@corprail/server/domain/cells/cell";
import { checkLedger } from "@corprail/server/domain/ledger/invariants";
import type { Sql } from "@corprail/server/platform/db/connection";
import { withCells } from "./cell/find-cells.ts";
import { counted } from "./shared/counted.ts";
import { done, failed, type Outcome } from "./shared/outcome.ts";
import type { CommandContext } from "./shared/run-command.ts";

type Account = { readonly account_id: string; readonly transfers: bigint };
type Findings = { readonly accounts: number; readonly counts: ReadonlyMap<string, number>; readonly broken: readonly string[] };

const ACCOUNTS_A_CHUNK = 200;
// Each chunk looks at one moment, which the database has to keep for that long.
const TRANSFERS_A_CHUNK = 500_000n;

/** Counts what breaks the ledger's rules. It only reads, so a standby's address will do. */
export async function verifyLedger(ctx: CommandContext): Promise<Outcome> {
  return await withCells(ctx, async (cells) => {
    const all: Findings[] = [];
    for (const { cell, sql } of cells) {
      if (cells.length > 1) ctx.note(`Checking ${cellName(cell)}`);
      all.push(await findViolations(ctx, sql));
    }
    return outcomeOf(all);
  });
}

export async function verifyLedgerOn(ctx: CommandContext, sql: Sql): Promise<Outcome> {
  return outcomeOf([await findViolations(ctx, sql)]);
}

async function findViolations(ctx: CommandContext, sql: Sql): Promise<Findings> {
  const accounts = await readAccounts(sql);
  return { accounts: accounts.length, ...(await checkInChunks(ctx, sql, accounts)) };
}

/** What was found in all cells together. */
function outcomeOf(all: readonly Findings[]): Outcome {
  const counts = new Map<string, number>();
  for (const [name, violations] of all.flatMap((one) => [...one.counts])) counts.set(name, (counts.get(name) ?? 0) + violations);
  const accounts = all.reduce((sum, one) => sum + one.accounts, 0);
  const checks = [...counts].map(([name, violations]) => ({ name, violations }));
  const report = checks.map((check) => `${String(check.violations).padStart(8)}  ${check.name}`).join("\n");
  const fields = { accounts, checks };
  if (checks.every((check) => check.violations === 0))
    return done(`The ledger is consistent: ${counted(accounts, "account")} checked.`, fields, report);
  return failed("The ledger is not consistent.", { ...fields, broken_accounts: all.flatMap((one) => one.broken) }, report);
}

/** Every account that has a wallet, a transfer or an order. A skip from one to the next spares reading all rows of the tables. */
async function readAccounts(sql: Sql): Promise<readonly Account[]> {
  return await sql<Account[]>`
    with recursive with_transfers as (
      (select account_id from transfers order by account_id limit 1)
      union all
      select (select t.account_id from transfers t where t.account_id > w.account_id order by t.account_id limit 1)
      from with_transfers w where w.account_id is not null
    ), with_orders as (
      (select account_id from orders order by account_id limit 1)
      union all
      select (select o.account_id from orders o where o.account_id > w.account_id order by o.account_id limit 1)
      from with_orders w where w.account_id is not null
    ), known as (
      select account_id from wallets union select account_id from with_transfers union select account_id from with_orders
    )
    select k.account_id, coalesce(w.seq, 0) as transfers from known k left join wallets w using (account_id)
    where k.account_id is not null order by k.account_id`;
}

/** No rule reaches over two accounts, so that accounts can be looked at apart. */
async function checkInChunks(ctx: CommandContext, sql: Sql, accounts: readonly Account[]): Promise<Omit<Findings, "accounts">> {
  const counts = new Map<string, number>();
  const broken: string[] = [];
  const progress = percentNotes(ctx, accounts.length);
  for (const chunk of chunksOf(accounts)) {
    const results = await checkLedger(sql, chunk);
    for (const { name, violations } of results) counts.set(name, (counts.get(name) ?? 0) + violations);
    if (results.some((check) => check.violations > 0)) broken.push(...(await nameBroken(ctx, sql, chunk)));
    progress(chunk.length);
  }
  return { counts, broken };
}

async function nameBroken(ctx: CommandContext, sql: Sql, chunk: readonly string[]): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const accountId of chunk) {
    const found = (await checkLedger(sql, [accountId])).filter((check) => check.violations > 0);
    if (found.length > 0) broken.push(accountId);
    for (const { name, violations } of found) ctx.note(`Account ${accountId} breaks "${name}": ${violations}`);
  }
  return broken;
}

/** At least one, so that an empty ledger is checked too. */
function chunksOf(accounts: readonly Account[]): readonly (readonly string[])[] {
  const chunks: string[][] = [[]];
  let transfers = 0n;
  for (const account of accounts) {
    const chunk = chunks.at(-1) ?? [];
    transfers += account.transfers;
    if (chunk.length > 0 && (chunk.length >= ACCOUNTS_A_CHUNK || transfers > TRANSFERS_A_CHUNK)) {
      chunks.push([account.account_id]);
      transfers = account.transfers;
    } else chunk.push(account.account_id);
  }
  return chunks;
}

/** A line for every percent at most; none when one chunk holds them all. */
function percentNotes(ctx: CommandContext, total: number): (more: number) => void {
  let checked = 0;
  let shown = 0;
  return (more) => {
    checked += more;
    const percent = Math.floor((100 * checked) / Math.max(total, 1));
    if (more === total || percent === shown) return;
    shown = percent;
    ctx.note(`${checked} of ${total} accounts checked`);
  };
}
