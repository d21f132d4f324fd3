import { ids, type OrdersFixture } from "../../orders/testing/fixture.ts";

/** An account with a top-up of one unit at each of these times, numbered in this order. */
export async function accountWithTimes({ owner }: OrdersFixture, times: readonly number[]): Promise<string> {
  const accountId = ids.account();
  await owner`insert into wallets (account_id, available, funding, seq) values (${accountId}, ${times.length}, ${-times.length}, ${times.length})`;
  await owner`
    insert into transfers (account_id, seq, kind, from_bucket, to_bucket, amount, available_after, narration, at)
    select ${accountId}, place, 'topup', 'funding', 'available', 1, place, '', at
    from unnest(${times.map((time) => new Date(time).toISOString())}::timestamptz[]) with ordinality as t (at, place)`;
  return accountId;
}
