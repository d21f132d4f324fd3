import type { Queryable, Transaction } from "../../platform/db/connection.ts";
import type { AccountsContext, Conflict } from "./context.ts";
import { createAccount } from "./create-account.ts";

export type Twin = { readonly twinId: string; readonly createdAt: Date };
export type CreateTwinResult = { readonly kind: "done"; readonly twinId: string; readonly apiToken: string } | Conflict;

const NAME_ENDING = " (sandbox)";
const MOST_CHARACTERS = 120;

/** Opens an account's own sandbox: another account, which only the simulator serves, with the same addresses and URLs. */
export async function createTwin(
  ctx: AccountsContext,
  actor: string,
  account: { accountId: string; name: string },
): Promise<CreateTwinResult> {
  const { accountId } = account;
  const name = `${[...account.name].slice(0, MOST_CHARACTERS - NAME_ENDING.length).join("")}${NAME_ENDING}`;
  try {
    const also = (tx: Transaction, twinId: string, at: Date) => linkTwin(tx, accountId, twinId, at);
    const made = await createAccount(ctx, actor, { name, sandbox: true, also });
    if (made.kind !== "done") throw new Error(`The name of ${accountId} makes no name for its sandbox.`);
    return { kind: "done", twinId: made.accountId, apiToken: made.apiToken };
  } catch (error) {
    if (!(error instanceof TwinRefused) && !isTaken(error)) throw error;
    return { kind: "conflict", reason: error instanceof TwinRefused ? error.message : EXISTS };
  }
}

const EXISTS = "The account has a sandbox already.";

/** Thrown so that nothing of the new account stays. */
class TwinRefused extends Error {}

async function linkTwin(tx: Transaction, accountId: string, twinId: string, at: Date): Promise<void> {
  const own = await tx`select 1 from account_twins where twin_id = ${accountId}`;
  if (own.length > 0) throw new TwinRefused("This account is a sandbox itself.");
  const [account] = await tx<{ closed_at: Date | null }[]>`select closed_at from accounts where account_id = ${accountId} for share`;
  if (account?.closed_at) throw new TwinRefused("The account is closed.");
  await tx`insert into account_twins (account_id, twin_id, created_at) values (${accountId}, ${twinId}, ${at})`;
  await tx`
    update accounts t set allowlist = a.allowlist, callback_url = a.callback_url, complaint_callback_url = a.complaint_callback_url
    from accounts a where t.account_id = ${twinId} and a.account_id = ${accountId}`;
}

function isTaken(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && error.code === "23505" && "table_name" in error && error.table_name === "account_twins"
  );
}

/** The account's sandbox; null when it has none. */
export async function findTwin(sql: Queryable, accountId: string): Promise<Twin | null> {
  const [row] = await sql<{ twin_id: string; created_at: Date }[]>`
    select twin_id, created_at from account_twins where account_id = ${accountId}`;
  return row ? { twinId: row.twin_id, createdAt: row.created_at } : null;
}
