import type { Sql, Transaction } from "./connection.ts";

const APPLICATION_ROLE = "corprail_app";

// Rows of these tables are never updated or deleted.
const APPEND_ONLY = ["audit_log", "transfers", "staff_ties"];
// Rows of these tables may be updated but never deleted.
const KEPT = ["wallets", "orders", "audit_head", "approvals", "approval_rules", "commercial_rules"];
// Only migrations write to these tables.
const READ_ONLY = ["schema_migrations", "transfer_kinds"];

/**
 * Creates the application's role, which cannot change history. If the URL's user may not create roles, returns null;
 * that user then loses the same rights itself.
 */
export async function prepareRole(sql: Sql): Promise<string | null> {
  if (await canAct(sql)) return APPLICATION_ROLE;
  try {
    await sql.unsafe(`create role ${APPLICATION_ROLE} nologin`).catch(ignoreExisting);
    await sql.unsafe(`grant ${APPLICATION_ROLE} to current_user`);
    return APPLICATION_ROLE;
  } catch (error) {
    if (codeOf(error) === "42501") return null;
    // Another process granted it at the same time.
    if (await canAct(sql)) return APPLICATION_ROLE;
    throw error;
  }
}

async function canAct(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ member: boolean }[]>`
    select pg_has_role(current_user, oid, 'member') as member from pg_roles where rolname = ${APPLICATION_ROLE}`;
  return row?.member ?? false;
}

export async function grantPrivileges(sql: Transaction, role: string | null): Promise<void> {
  const grantee = role ?? "current_user";
  // Tables may be missing, because a backup of an older version is restored with its own schema first.
  const rows = await sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`;
  const present = new Set(rows.map((row) => row.name));
  const revoke = (rights: string, tables: readonly string[]) =>
    tables.filter((table) => present.has(table)).map((table) => `revoke ${rights} on ${table} from ${grantee};`);
  await sql.unsafe(`
    grant usage on schema public to ${grantee};
    grant select, insert, update, delete on all tables in schema public to ${grantee};
    ${revoke("update, delete, truncate", APPEND_ONLY).join("")}
    ${revoke("delete, truncate", KEPT).join("")}
    ${revoke("insert, update, delete, truncate", READ_ONLY).join("")}`);
}

/** Gives a user that lost its own rights what it needs to migrate. `grantPrivileges` revokes it again. */
export async function takeRightsBack(sql: Transaction): Promise<void> {
  await sql.unsafe("grant all on all tables in schema public to current_user");
}

function ignoreExisting(error: unknown): void {
  const code = codeOf(error);
  if (code !== "42710" && code !== "23505") throw error;
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}
