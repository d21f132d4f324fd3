import type { Queryable, Transaction } from "../../platform/db/connection.ts";
import type { AccountsContext, Conflict } from "./context.ts";
import { createAccount } from "./create-account.ts";

export type SandboxAccount = { readonly sandboxId: string; readonly createdAt: Date };
export type CreateSandboxResult = { readonly kind: "done"; readonly sandboxId: string; readonly apiToken: string } | Conflict;

const NAME_ENDING = " (sandbox)";
const MAX_CHARACTERS = 120;

/**
 * Creates an account's sandbox: another account that only the simulator serves, with the same addresses. It gets no callback
 * URL, so that test callbacks never reach the receiver of live ones.
 */
export async function createSandboxAccount(
  ctx: AccountsContext,
  actor: string,
  account: { accountId: string; name: string },
): Promise<CreateSandboxResult> {
  const { accountId } = account;
  const name = `${[...account.name].slice(0, MAX_CHARACTERS - NAME_ENDING.length).join("")}${NAME_ENDING}`;
  try {
    const also = (tx: Transaction, sandboxId: string, at: Date) => linkSandboxAccount(tx, accountId, sandboxId, at);
    const made = await createAccount(ctx, actor, { name, sandbox: true, also });
    if (made.kind !== "done") throw new Error(`The name of ${accountId} cannot be extended to a name for its sandbox.`);
    return { kind: "done", sandboxId: made.accountId, apiToken: made.apiToken };
  } catch (error) {
    if (!(error instanceof SandboxRefused) && !isTaken(error)) throw error;
    return { kind: "conflict", reason: error instanceof SandboxRefused ? error.message : EXISTS };
  }
}

const EXISTS = "The account already has a sandbox.";

/** Thrown to roll back the new account. */
class SandboxRefused extends Error {}

async function linkSandboxAccount(tx: Transaction, accountId: string, sandboxId: string, at: Date): Promise<void> {
  const own = await tx`select 1 from sandbox_accounts where sandbox_id = ${accountId}`;
  if (own.length > 0) throw new SandboxRefused("This account is a sandbox itself.");
  const [account] = await tx<{ closed_at: Date | null }[]>`select closed_at from accounts where account_id = ${accountId} for share`;
  if (account?.closed_at) throw new SandboxRefused("The account is closed.");
  await tx`insert into sandbox_accounts (account_id, sandbox_id, created_at) values (${accountId}, ${sandboxId}, ${at})`;
  await tx`
    update accounts t set allowlist = a.allowlist
    from accounts a where t.account_id = ${sandboxId} and a.account_id = ${accountId}`;
}

function isTaken(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && error.code === "23505" && "table_name" in error && error.table_name === "sandbox_accounts"
  );
}

/** The callback URLs of the live account that this sandbox account belongs to. */
export async function readLiveUrls(sql: Queryable, sandboxId: string): Promise<readonly string[]> {
  const rows = await sql<{ url: string }[]>`
    select u.url from sandbox_accounts s join accounts a on a.account_id = s.account_id
    cross join unnest(array[a.callback_url, a.complaint_callback_url]) as u (url)
    where s.sandbox_id = ${sandboxId} and u.url is not null`;
  return rows.map((row) => row.url);
}

/** The account's sandbox; null when it has none. */
export async function findSandboxAccount(sql: Queryable, accountId: string): Promise<SandboxAccount | null> {
  const [row] = await sql<{ sandbox_id: string; created_at: Date }[]>`
    select sandbox_id, created_at from sandbox_accounts where account_id = ${accountId}`;
  return row ? { sandboxId: row.sandbox_id, createdAt: row.created_at } : null;
}
