import { connect } from "../../server/dist/platform/db/connection.js";
import { makePartitions } from "../../server/dist/platform/db/partitions/make-partitions.js";

const AMOUNT = 100_000;
const MILLISECONDS_APART = 500;
const MONTH_MILLISECONDS = 28 * 24 * 3_600_000;

/**
 * Orders as if they had been made and settled one after the other: a hold and a capture each, wallets that say what
 * their transfers made of them. The ledger's own check passes over them. Indexes are made when the rows are there, and
 * each table is filled by a connection of its own.
 *
 * @param {string} url of the database's owner @param {readonly { accountId: string }[]} accounts @param {number} count
 */
export async function seedOrders(url, accounts, count) {
  const { sql, close } = connect({ url, connections: TABLES.length, role: null });
  try {
    const accountIds = accounts.map((account) => account.accountId);
    const seed = { accountIds, count, start: Date.now() - count * MILLISECONDS_APART };
    for (let at = seed.start; at < Date.now(); at += MONTH_MILLISECONDS) await makePartitions(sql, at);
    await Promise.all(TABLES.map((table) => fillTable(sql, table, seed)));
    await moveWallets(sql, seed);
    await sql`vacuum (analyze)`;
  } finally {
    await close();
  }
}

const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const PLACES = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
// As server/src/platform/core/ids.ts writes an order's id, its time first.
const TIME_LETTERS = PLACES.map((place) => `substr('${LETTERS}', 1 + ((t.ms >> ${5 * place}) & 31)::integer, 1)`).join(" || ");

/** The order of number n, the same wherever it is asked for. */
const SEEDED = `
  select n, (p.account_ids)[1 + n % p.accounts] as account_id, n / p.accounts as rank,
    ${TIME_LETTERS} || upper(substr(md5(n::text), 1, 8)) as order_id, to_timestamp(t.ms / 1000.0) as at
  from (select $1::text[] as account_ids, cardinality($1::text[]) as accounts, $2::bigint as start) p
  cross join generate_series(0, $3::bigint - 1) n
  cross join lateral (select p.start + n * ${MILLISECONDS_APART} as ms) t`;

const REFERENCE = "md5('reference ' || n)::uuid::text";

const TABLES = [
  {
    name: "orders",
    fill: `
      insert into orders (account_id, order_id, service, reference, fingerprint, state, amount, amount_text, target, operator, provider,
        operator_ref, process_id, created_at, updated_at)
      select account_id, order_id, 'recharge', ${REFERENCE}, 'AT 9876543000 10.0000', 1, ${AMOUNT}, '10.00', '9876543000', 'AT',
        'simulator', 'SIM123456789012', 'seed', at, at from (${SEEDED}) s`,
  },
  {
    name: "order_references",
    fill: `
      insert into order_references (account_id, digest, order_id) 
      select account_id, order_reference_digest(account_id, 'recharge', ${REFERENCE}, ''), order_id from (${SEEDED}) s`,
  },
  {
    name: "transfers",
    // Two an order, numbered from where the wallet stands.
    fill: `
      insert into transfers (account_id, seq, kind, from_bucket, to_bucket, amount, available_after, order_id, narration, at)
      select s.account_id, w.seq + 2 * s.rank + k.place, k.kind, k.from_bucket, k.to_bucket, ${AMOUNT},
        w.available - ${AMOUNT} * (s.rank + 1), s.order_id, '', s.at
      from (${SEEDED}) s
      join wallets w using (account_id)
      cross join (values (1, 'hold', 'available', 'held'), (2, 'capture', 'held', 'cleared')) k (place, kind, from_bucket, to_bucket)`,
  },
];

async function fillTable(sql, { name, fill }, { accountIds, start, count }) {
  await sql.begin(async (tx) => {
    await tx`set local maintenance_work_mem = '1GB'`;
    const later = await dropIndexes(tx, name);
    await tx.unsafe(fill, [accountIds, start, count]);
    for (const statement of later) await tx.unsafe(statement);
  });
}

/** Answers the statements that make them again. A partition has indexes of its table's and may have its own. */
async function dropIndexes(tx, table) {
  const found = await tx`
    select i.indexrelid::regclass::text as index, i.indrelid::regclass::text as table, c.conname as key,
      replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as definition, pg_get_constraintdef(c.oid) as key_definition
    from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype = 'p'
    where (i.indrelid = ${table}::regclass or i.indrelid in (select inhrelid from pg_inherits where inhparent = ${table}::regclass))
      and not exists (select from pg_inherits p where p.inhrelid = i.indexrelid)`;
  for (const { index, table: of, key } of found)
    await tx.unsafe(key === null ? `drop index ${index}` : `alter table ${of} drop constraint ${key}`);
  return found.map(({ table: of, key, definition, key_definition }) =>
    key === null ? definition : `alter table ${of} add constraint ${key} ${key_definition}`,
  );
}

async function moveWallets(sql, { accountIds, count }) {
  await sql`
    update wallets w set available = w.available - n.amount, cleared = w.cleared + n.amount, seq = w.seq + 2 * n.orders
    from (
      select account_id, orders, orders * ${AMOUNT}::bigint as amount
      from unnest(${accountIds}::text[]) with ordinality as a (account_id, place)
      cross join lateral (select (${count} - a.place + ${accountIds.length}) / ${accountIds.length} as orders) o) n
    where w.account_id = n.account_id`;
}
