/** Tables and views of the schema with their columns, keys and comments, by name. */
export async function readCatalog(sql) {
  const tables = await sql`
    select c.relname as name, c.relkind = 'v' as "isView", obj_description(c.oid, 'pg_class') as comment
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
    order by c.relname`;
  const columns = await sql`
    select c.relname as "table", a.attname as name, format_type(a.atttypid, null) as type, a.attnotnull as "isRequired",
      col_description(c.oid, a.attnum) as comment
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') order by c.relname, a.attnum`;
  const keys = await sql`
    select coalesce(t.relname, c.relname) as "table", k.contype as kind, f.relname as target, pg_get_constraintdef(k.oid) as definition,
      (select array_agg(a.attname order by u.position) from unnest(k.conkey) with ordinality as u (number, position)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = u.number) as columns
    from pg_constraint k join pg_class c on c.oid = k.conrelid left join pg_class f on f.oid = k.confrelid
    -- What every partition has by itself is shown as the table's own: the default partition is their model.
    left join pg_inherits i on i.inhrelid = c.oid left join pg_class t on t.oid = i.inhparent
    where (t.oid is null or c.relname = t.relname || '_default') and k.connamespace = 'public'::regnamespace and k.contype in ('p', 'f', 'c') order by c.relname, k.conname`;
  return tables.map((table) => ({
    ...table,
    columns: columns.filter((column) => column.table === table.name).map((column) => describe(column, table, keys)),
    references: keys.filter((key) => key.table === table.name && key.kind === "f"),
  }));
}

function describe(column, table, keys) {
  const own = keys.filter((key) => key.table === table.name && key.columns?.includes(column.name));
  return {
    ...column,
    // A view's columns are those of tables; the catalog does not say which of them can be null.
    isRequired: column.isRequired || table.isView,
    isPrimary: own.some((key) => key.kind === "p"),
    isForeign: own.some((key) => key.kind === "f"),
    values: own.map(allowedValues).find((values) => values !== null) ?? null,
  };
}

/** The values of a constraint `check (column in (…))` over texts or small numbers; null for any other. */
function allowedValues({ kind, columns, definition }) {
  if (kind !== "c" || columns.length !== 1) return null;
  const list = /^CHECK \(\(\w+ = ANY \(ARRAY\[([^\]]+)\]\)\)\)$/.exec(definition)?.[1];
  const values = list?.split(", ").map((item) => /^'(\w+)'::text$|^(\d+)$/.exec(item)?.slice(1).find(Boolean));
  return values?.every(Boolean) ? values : null;
}
