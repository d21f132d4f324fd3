import { appendAudit } from "../../server/src/domain/audit/append.ts";
import type { Sql, Transaction } from "../../server/src/platform/db/connection.ts";

type Column = {
  readonly name: string;
  readonly type: string;
  readonly isNeeded: boolean;
  readonly checks: readonly string[];
  readonly refersTo: string | null;
};
type Table = { readonly name: string; readonly columns: readonly Column[] };

// Their rows depend on each other; `fillMoney` and `appendAudit` write them.
const BY_HAND = ["orders", "transfers", "wallets", "transfer_kinds", "audit_log", "audit_head", "schema_migrations", "installation"];

// There are no more than 676 circles.
const MANY = 500;

/** Fills every table that can have many rows with `count` of them, but leaves out those that `isLeftEmpty` names. Returns the names of the filled ones. */
export async function fillTables(sql: Sql, count: number, isLeftEmpty: (name: string) => boolean): Promise<readonly string[]> {
  const filled: string[] = [];
  for (const table of await readTables(sql)) {
    if (isLeftEmpty(table.name) || BY_HAND.includes(table.name)) continue;
    if (await fill(sql, table, count)) filled.push(table.name);
  }
  await sql`update credentials set key_id = (select master_key_id from installation)`;
  await fillMoney(sql, count);
  await sql.begin(async (tx) => await fillAudit(tx, count));
  await sql`analyze`;
  return [...filled, "orders", "transfers", "audit_log"];
}

/** False when the table takes only certain rows, such as the one row of settings. */
async function fill(sql: Sql, { name, columns }: Table, count: number): Promise<boolean> {
  const needed = columns.filter((column) => column.isNeeded);
  const values = needed.map(valueFor).join(", ");
  const names = needed.map((column) => column.name).join(", ");
  try {
    const made = await sql.unsafe(
      `insert into ${name} (${names}) select ${values} from generate_series(1, ${count}) n on conflict do nothing`,
    );
    return made.count >= Math.min(count, MANY);
  } catch {
    return false;
  }
}

// Where a column takes only certain values.
const VALUES: Readonly<Record<string, string>> = {
  realm: "'console'",
  owner: "'staff'",
  role: "'admin'",
  provider: "'p' || n",
  aadhaar_last4: "'1234'",
  customer_last4: "'1234'",
  circle: "chr(65 + n % 26) || chr(65 + (n / 26) % 26)",
  prefix: "(70000 + n)::text",
  "text[]": "array['a', n::text, null]",
  "integer[]": "array[n]",
  jsonb: "jsonb_build_object('n', n, 'text', repeat('x', n % 300))",
  bytea: "decode(md5(n::text), 'hex')",
  uuid: "md5(n::text)::uuid",
  boolean: "n % 2 = 0",
  date: "date '2026-01-01' + n",
  "timestamp with time zone": "timestamptz '2026-01-01 00:00Z' + n * interval '1 second'",
  smallint: "n % 1000 + 1",
};

function valueFor({ name, type, checks, refersTo }: Column): string {
  if (refersTo !== null) return referred(refersTo, name);
  const listed = checks.map((check) => new RegExp(`\\(${name} = ANY \\(ARRAY\\[([^\\],:]+)`).exec(check)?.[1]).find(Boolean);
  const special = VALUES[name] ?? listed ?? VALUES[type];
  if (special !== undefined) return special;
  return type === "text" ? `'${name.slice(0, 3)}' || n || repeat(E'\\\\\t\nü', n % 7)` : "n";
}

function referred(refersTo: string, name: string): string {
  const [column, table] = refersTo.split(" ");
  const values = `array(select ${column} from ${table} t order by t::text)`;
  return `(${values})[1 + (n + ${name === "sandbox_id" ? 1 : 0}) % cardinality(${values})]`;
}

/** In the order in which foreign keys find what they refer to. */
async function readTables(sql: Sql): Promise<readonly Table[]> {
  const rows = await sql<{ name: string; columns: Column[] }[]>`
    select c.relname::text as name, jsonb_agg(jsonb_build_object(
      'name', a.attname, 'type', format_type(a.atttypid, -1),
      'isNeeded', a.attnotnull and not a.atthasdef and a.attidentity = '',
      'checks', coalesce((select jsonb_agg(pg_get_constraintdef(k.oid)) from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any(k.conkey)), '[]'),
      'refersTo', (select f.attname || ' ' || r.relname from pg_constraint k join pg_class r on r.oid = k.confrelid
        join pg_attribute f on f.attrelid = r.oid and f.attnum = k.confkey[array_position(k.conkey, a.attnum)]
        where k.conrelid = c.oid and k.contype = 'f' and a.attnum = any(k.conkey) limit 1)) order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
      and not exists (select from pg_inherits i join pg_class n on n.oid = i.inhrelid where i.inhparent = c.oid and n.relpersistence = 'u')
    group by c.relname order by c.relname`;
  const needs = (table: Table) => table.columns.flatMap(({ refersTo }) => (refersTo === null ? [] : [refersTo.replace(/.* /, "")]));
  const placed: Table[] = [];
  for (let left = [...rows]; left.length > 0; left = left.filter((table) => !placed.includes(table)))
    placed.push(
      ...left.filter((table) => needs(table).every((name) => name === table.name || placed.some((other) => other.name === name))),
    );
  return placed;
}

/** Orders with their holds and captures in one wallet: the ledger's checks pass. */
async function fillMoney(sql: Sql, count: number): Promise<void> {
  await sql`insert into wallets (account_id, available, cleared, funding, seq, day) values ('M', 0, ${count}, ${-count}, ${2 * count + 1}, '2026-01-01')`;
  await sql`insert into transfers (account_id, seq, kind, from_bucket, to_bucket, amount, available_after, reference, narration, at)
    values ('M', 1, 'topup', 'funding', 'available', ${count}, ${count}, 'r', '', now())`;
  await sql`insert into orders (account_id, order_id, service, reference, fingerprint, state, amount, amount_text, target, operator, provider, process_id,
      created_at, updated_at)
    select 'M', 'ORDER' || lpad(n::text, 9, '0'), 'recharge', 'u' || n, repeat('f', n % 50), 1, 1, '0.0001', '9876543210', 'AT', 'simulator', 'p', now(), now()
    from generate_series(1, ${count}::int) n`;
  await sql`insert into order_references (account_id, digest, order_id)
    select account_id, order_reference_digest(account_id, service, reference, operation), order_id from orders where account_id = 'M'`;
  await sql`insert into transfers (account_id, seq, kind, from_bucket, to_bucket, amount, available_after, order_id, narration, at)
    select 'M', 2 * n + k.place, k.kind, k.from_bucket, k.to_bucket, 1, ${count}::int - n, 'ORDER' || lpad(n::text, 9, '0'), '', now()
    from generate_series(1, ${count}::int) n
    cross join (values (0, 'hold', 'available', 'held'), (1, 'capture', 'held', 'cleared')) k (place, kind, from_bucket, to_bucket)`;
}

async function fillAudit(tx: Transaction, count: number): Promise<void> {
  const subject = { kind: "installation", id: "I" } as const;
  for (let n = 0; n < count; n += 1) await appendAudit(tx, new Date(), { actor: "test", action: "test.filled", subject, details: { n } });
}
