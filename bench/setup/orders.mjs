const AMOUNT = 100_000;
const ORDERS_A_STEP = 500_000;
const MILLISECONDS_APART = 500;

/**
 * Orders as if they had been made and settled one after the other: a hold and a capture each, wallets that say what
 * their transfers made of them. The ledger's own check passes over them.
 *
 * @param {import("postgres").Sql} sql @param {readonly { accountId: string }[]} accounts @param {number} count
 */
export async function seedOrders(sql, accounts, count) {
  const accountIds = accounts.map((account) => account.accountId);
  await sql.unsafe(TIME_LETTERS);
  const start = Date.now() - count * MILLISECONDS_APART;
  for (let from = 0; from < count; from += ORDERS_A_STEP)
    await seedStep(sql, accountIds, { start, from, until: Math.min(count, from + ORDERS_A_STEP) - 1 });
  await sql`vacuum (analyze)`;
}

// The time part of an order's id, as server/src/kernel/ids.ts writes it.
const TIME_LETTERS = `
  create function pg_temp.time_letters(milliseconds bigint) returns text language sql immutable as $$
    select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((milliseconds >> (5 * (9 - place))) & 31)::integer, 1), '' order by place)
    from generate_series(0, 9) place
  $$`;

async function seedStep(sql, accountIds, { start, from, until }) {
  await sql.begin(async (tx) => {
    await tx`
      create temporary table seeded on commit drop as
      select n, (${accountIds}::text[])[1 + n % ${accountIds.length}] as account_id, n / ${accountIds.length} as rank,
        pg_temp.time_letters(${start} + n * ${MILLISECONDS_APART}::bigint) || upper(substr(md5(n::text), 1, 8)) as order_id,
        gen_random_uuid()::text as reference, to_timestamp((${start} + n * ${MILLISECONDS_APART}::bigint) / 1000.0) as at
      from generate_series(${from}::bigint, ${until}::bigint) n`;
    await tx`
      insert into orders (account_id, order_id, service, reference, fingerprint, state, amount, amount_text, target, operator, provider,
        operator_ref, process_id, created_at, updated_at)
      select account_id, order_id, 'recharge', reference, 'AT 9876543000 10.0000', 1, ${AMOUNT}, '10.00', '9876543000', 'AT', 'simulator',
        'SIM123456789012', 'seed', at, at from seeded order by order_id`;
    // Two transfers an order, numbered from where the wallet stands.
    const first = `w.seq + 2 * (s.rank - ${Math.floor(from / accountIds.length)})`;
    await tx.unsafe(`
      insert into transfers (account_id, seq, kind, from_bucket, to_bucket, amount, available_after, order_id, narration, at)
      select s.account_id, ${first} + k.place, k.kind, k.from_bucket, k.to_bucket, ${AMOUNT},
        w.available - ${AMOUNT} * (s.rank - ${Math.floor(from / accountIds.length)} + 1), s.order_id, 'recharge AT 9876543000', s.at
      from seeded s join wallets w using (account_id)
      cross join (values (1, 'hold', 'available', 'held'), (2, 'capture', 'held', 'cleared')) k (place, kind, from_bucket, to_bucket)
      order by s.n, k.place`);
    await tx`
      update wallets w set available = w.available - n.amount, cleared = w.cleared + n.amount, seq = w.seq + 2 * n.orders
      from (select account_id, count(*) as orders, count(*) * ${AMOUNT}::bigint as amount from seeded group by account_id) n
      where w.account_id = n.account_id`;
  });
}
