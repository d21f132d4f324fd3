import type { AccountsContext } from "../domain/accounts/context.ts";
import { appendAudit } from "../domain/audit/append.ts";
import { FIRST_START } from "../domain/auth/team/invite.ts";
import type { Queryable, Transaction } from "../platform/db/connection.ts";

/** A demo account whose credentials nobody has seen, because its start was killed or could not show them. */
export type UnfinishedDemo = { readonly accountId: string; readonly sandbox: boolean };

/**
 * `missing`: there is no account yet. `unfinished`: the only account is a demo account that nobody uses and whose
 * credentials were not shown. `finished`: there is nothing to do for a first start.
 */
export type DemoState = { readonly kind: "missing" } | ({ readonly kind: "unfinished" } & UnfinishedDemo) | { readonly kind: "finished" };

const BEGUN = "installation.first_start_begun";
const ENDED = "installation.first_start_ended";
// What the service and strangers at the sign-in page do is no use of the installation.
const NOT_STAFF = [FIRST_START, "system", "visitor"];

export async function readDemoState(sql: Queryable): Promise<DemoState> {
  const [account, another] = await sql<{ accountId: string; sandbox: boolean }[]>`
    select account_id as "accountId", sandbox from accounts limit 2`;
  if (!account) return { kind: "missing" };
  if (another) return { kind: "finished" };
  const isUnfinished = (await isDemo(sql, account.accountId)) && !(await wasShown(sql)) && !(await isUsed(sql, account.accountId));
  return isUnfinished ? { kind: "unfinished", ...account } : { kind: "finished" };
}

/** Records in the transaction that creates the demo account that the first start has begun. */
export async function recordBegun(tx: Transaction, at: Date): Promise<void> {
  await record(tx, at, BEGUN);
}

/** Records that the credentials were shown: from now on nothing replaces them. */
export async function recordEnded({ sql, clock }: Pick<AccountsContext, "sql" | "clock">): Promise<void> {
  await sql.begin((tx) => record(tx, new Date(clock.now()), ENDED));
}

async function record(tx: Transaction, at: Date, action: string): Promise<void> {
  await appendAudit(tx, at, { actor: FIRST_START, action, subject: { kind: "installation", id: "first-start" }, details: {} });
}

async function isDemo(sql: Queryable, accountId: string): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (
      select from audit_log
      where subject_kind = 'account' and subject_id = ${accountId} and action = 'account.created' and actor = ${FIRST_START}
    ) as found`;
  return row?.found ?? false;
}

/** Versions without these records made the console's invitation last, right before they showed everything. */
async function wasShown(sql: Queryable): Promise<boolean> {
  const rows = await sql<{ action: string }[]>`
    select action from audit_log where actor = ${FIRST_START} and action = any(${[BEGUN, ENDED, "staff.invited"]})`;
  const actions = new Set(rows.map(({ action }) => action));
  return actions.has(ENDED) || (actions.has("staff.invited") && !actions.has(BEGUN));
}

async function isUsed(sql: Queryable, accountId: string): Promise<boolean> {
  const [row] = await sql<{ used: boolean }[]>`
    select exists (select from audit_log where actor <> all(${NOT_STAFF}))
      or exists (select from orders where account_id = ${accountId}) as used`;
  return row?.used ?? true;
}
