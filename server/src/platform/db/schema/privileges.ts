import { readFile } from "node:fs/promises";
import type { Sql, Transaction } from "../connection.ts";
import { SCHEMA_FOLDER } from "./read-schema.ts";

// As server/schema/privileges.sql names it.
const APPLICATION_ROLE = "corprail_app";
const REVOKE = /^revoke [a-z, ]+ on ([a-z_]+) from/;

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

/** Since PostgreSQL 16, whoever created a role is a member of it, but may not act as it before the role is granted. */
async function canAct(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ can_act: boolean }[]>`
    select pg_has_role(current_user, oid, case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end) as can_act
    from pg_roles where rolname = ${APPLICATION_ROLE}`;
  return row?.can_act ?? false;
}

/** Applies server/schema/privileges.sql to the role, or to the URL's user where there is none. */
export async function grantPrivileges(sql: Transaction, role: string | null): Promise<void> {
  const rows = await sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`;
  const present = new Set(rows.map((row) => row.name));
  const lines = (await readFile(`${SCHEMA_FOLDER}/privileges.sql`, "utf8")).split("\n");
  // A backup of an older version is restored with its own schema first, which may lack later tables.
  const applicable = lines.filter((line) => present.has(REVOKE.exec(line)?.[1] ?? "") || !REVOKE.test(line));
  await sql.unsafe(applicable.join("\n").replaceAll(APPLICATION_ROLE, role ?? "current_user"));
}

/** Gives a user that lost its own rights what it needs to migrate. `grantPrivileges` revokes it again. */
export async function takeRightsBack(sql: Transaction): Promise<void> {
  await sql.unsafe("grant all on all tables in schema public to current_user");
}

/**
 * Runs work that changes and deletes rows of tables on which the URL's user may have lost rights, because it is the
 * application's role too. Afterwards it has lost the same rights again; if the work fails, with the transaction.
 */
export async function withLostRights<Result>(tx: Transaction, tables: readonly string[], work: () => Promise<Result>): Promise<Result> {
  const rows = await tx<{ lost: string; names: string }[]>`
    select lost, string_agg(format('%I', name), ', ') as names
    from unnest(${tables as string[]}::text[]) as t (name), unnest(array['insert', 'update', 'delete']) as r (lost)
    where not has_table_privilege(name, lost) group by lost`;
  for (const { lost, names } of rows) await tx.unsafe(`grant ${lost} on ${names} to current_user`);
  const result = await work();
  for (const { lost, names } of rows) await tx.unsafe(`revoke ${lost} on ${names} from current_user`);
  return result;
}

function ignoreExisting(error: unknown): void {
  const code = codeOf(error);
  if (code !== "42710" && code !== "23505") throw error;
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}
