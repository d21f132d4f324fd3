import { sumAllTransfers } from "../../server/dist/domain/ledger/month-sums.js";
import { rebuildRollUps } from "../../server/dist/domain/reporting/analytics/rebuild.js";
import { connect } from "../../server/dist/platform/db/connection.js";
import { indexPastMonths } from "../../server/dist/platform/db/partitions/index-past-months.js";
import { makePartitions } from "../../server/dist/platform/db/partitions/make-partitions.js";

/** The number that one order in 16 is for; all others are for rarer ones. */
export const COMMON_NUMBER = "9876543000";

/** The number of the second order, and of no other. */
export const OLDEST_NUMBER = "7000007919";

const AMOUNT = 100_000;
const MILLISECONDS_APART = 500;
const MONTH_MILLISECONDS = 28 * 24 * 3_600_000;

/**
 * Orders as if they had been made and settled one after the other: a hold and a capture each, or a void for the one in
 * 32 that failed, and wallets that say what their transfers made of them. The ledger's own check passes over them. Indexes
 * are made when the rows are there, and each table is filled by a connection of its own. Roll-ups and the sums of months are
 * counted too, so that the service does not do it while it is measured.
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
    await rebuildRollUps(sql, Date.now, () => {});
    await sumAllTransfers(sql);
    await indexMonths(url);
  } finally {
    await close();
  }
}

/** As the service does in the background. The function wants a connection of its own. */
async function indexMonths(url) {
  const { sql, close } = connect({ url, connections: 1, role: null });
  await indexPastMonths(sql, Date.now());
  await close();
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

// Of each account's orders the last of every 32 failed. Captured: how many of its first x orders did not.
const IS_FAILED = "rank % 32 = 31";
const captured = (count) => `(${count} - (${count}) / 32)`;
const OPERATORS = ["AT", "JO", "VI", "BS"];
const OPERATOR = `('{${OPERATORS.join(",")}}'::text[])[1 + n / 7 % ${OPERATORS.length}]`;
const TARGET = `case when n % 16 = 0 then '${COMMON_NUMBER}' else (7000000000 + n * 7919 % 2000000000)::text end`;
const REFERENCE = "md5('reference ' || n)::uuid::text";

const TABLES = [
  {
    name: "orders",
    fill: `
      insert into orders (account_id, order_id, service, reference, fingerprint, state, amount, amount_text, target, operator, circle, provider,
        operator_ref, reason, process_id, created_at, updated_at)
      select account_id, order_id, 'recharge', ${REFERENCE}, 'seeded', case when ${IS_FAILED} then 2 else 1 end, ${AMOUNT}, '10.00', ${TARGET},
        ${OPERATOR}, 'DL', 'simulator', case when ${IS_FAILED} then null else 'SIM' || n end,
        case when ${IS_FAILED} then '[provider_declined] Declined' end, 'seed', at, at + interval '200 milliseconds' from (${SEEDED}) s`,
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
        w.available - ${AMOUNT} * case k.kind when 'hold' then ${captured("s.rank")} + 1 else ${captured("s.rank + 1")} end, s.order_id, '', s.at
      from (${SEEDED}) s
      join wallets w using (account_id)
      join (values (1, 'hold', 'available', 'held', null), (2, 'capture', 'held', 'cleared', false), (2, 'void', 'held', 'available', true))
        k (place, kind, from_bucket, to_bucket, if_failed) on k.if_failed is null or k.if_failed = (${IS_FAILED})`,
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
      select account_id, orders, ${sql.unsafe(captured("orders"))} * ${AMOUNT}::bigint as amount
      from unnest(${accountIds}::text[]) with ordinality as a (account_id, place)
      cross join lateral (select (${count} - a.place + ${accountIds.length}) / ${accountIds.length} as orders) o) n
    where w.account_id = n.account_id`;
}
