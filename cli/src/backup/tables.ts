import type { Queryable } from "@corprail/server/platform/db/connection";
import { listDetached } from "@corprail/server/platform/db/partitions/frozen-months";

export type Table = { readonly name: string; readonly columns: readonly string[] };
export type Sequence = { readonly name: string; readonly last: string };

// Migrations write this table themselves, also in the restored database.
const OWN_OF_MIGRATIONS = "schema_migrations";

/**
 * Every table with the columns that are written, in an order in which foreign keys find what they point to. Left out are tables
 * that a crash may empty anyway (decision 10), and those of months that have left for the archive and are not dropped yet.
 */
export async function readTables(sql: Queryable): Promise<readonly Table[]> {
  const tables = await sql<{ name: string; columns: string[] }[]>`
    select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relpersistence = 'p' and c.relname <> ${OWN_OF_MIGRATIONS}
      -- A partitioned table is unlogged when its partitions are.
      and not exists (select from pg_inherits i join pg_class n on n.oid = i.inhrelid where i.inhparent = c.oid and n.relpersistence = 'u')
    group by c.relname order by c.relname`;
  const links = await sql<{ name: string; needs: string }[]>`
    select c.relname::text as name, n.relname::text as needs from pg_constraint k
    join pg_class c on c.oid = k.conrelid join pg_class n on n.oid = k.confrelid
    where k.contype = 'f' and k.conrelid <> k.confrelid and c.relnamespace = 'public'::regnamespace`;
  const detached = await listDetached(sql);
  return sorted(
    tables.filter(({ name }) => !detached.has(name)),
    links,
  );
}

export async function readSequences(sql: Queryable): Promise<readonly Sequence[]> {
  return await sql<Sequence[]>`
    select sequencename::text as name, last_value::text as last from pg_sequences
    where schemaname = 'public' and last_value is not null order by sequencename`;
}

export async function writeSequences(sql: Queryable, sequences: readonly Sequence[]): Promise<void> {
  for (const { name, last } of sequences) await sql`select setval(${`public.${quotedName(name)}`}::text::regclass, ${last}::text::bigint)`;
}

/** Quotes a name for SQL. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function copyTarget({ name, columns }: Table): string {
  return `public.${quotedName(name)} (${columns.map(quotedName).join(", ")})`;
}

function sorted(tables: readonly Table[], links: readonly { readonly name: string; readonly needs: string }[]): readonly Table[] {
  const placed: Table[] = [];
  let left = [...tables];
  while (left.length > 0) {
    const ready = left.filter(({ name }) => links.every((link) => link.name !== name || placed.some((table) => table.name === link.needs)));
    if (ready.length === 0) throw new Error(`The tables ${left.map(({ name }) => name).join(", ")} need each other.`);
    placed.push(...ready);
    left = left.filter((table) => !ready.includes(table));
  }
  return placed;
}
