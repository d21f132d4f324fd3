import type { Queryable } from "../../../platform/db/connection.ts";
import type { Row } from "../../../platform/db/row-types.ts";
import type { ProviderExchange } from "../../providers/connector.ts";
import type { OrderKey } from "../store.ts";

/** What the provider told of an attempt, with amounts in ten-thousandths of a rupee. */
export type ProviderFacts = { readonly providerRef: string | null; readonly cost: bigint | null; readonly balance: bigint | null };

/** An exchange with an id of its own, so that a repeated write changes nothing. */
export type KeptExchange = ProviderExchange & { readonly id: string };

/** What one call of a provider leaves behind. */
export type AttemptRecord = OrderKey & {
  readonly attempt: number;
  readonly provider: string;
  readonly exchanges: readonly KeptExchange[];
  readonly facts: ProviderFacts | null;
  readonly at: number;
};

/**
 * Writes the records, all of them or none, in one statement. Its commit does not wait for the disk: the outcome of the attempt
 * is committed after it and waits, which writes everything before it to the disk as well.
 */
export async function insertRecords(sql: Queryable, records: readonly AttemptRecord[]): Promise<void> {
  const exchanges = records.flatMap((record) => record.exchanges.map((exchange) => ({ record, exchange })));
  const facts = latestFacts(records);
  const unflushed = sql`with unflushed as materialized (select set_config('synchronous_commit', 'off', true))`;
  if (exchanges.length === 0) await sql`${unflushed} ${upsertFacts(sql, facts)}`;
  else if (facts.length === 0) await sql`${unflushed} ${insertExchanges(sql, exchanges)}`;
  else await sql`${unflushed}, written as (${insertExchanges(sql, exchanges)}) ${upsertFacts(sql, facts)}`;
}

type OfRecord = { readonly record: AttemptRecord; readonly exchange: KeptExchange };

function insertExchanges(sql: Queryable, all: readonly OfRecord[]) {
  const column = <Value>(read: (one: OfRecord) => Value): Value[] => all.map(read);
  return sql`
    insert into provider_exchanges (account_id, order_id, exchange_id, attempt, provider, operation, at, milliseconds, request, reply, problem)
    select account_id, order_id, exchange_id, attempt, provider, operation, to_timestamp(at::double precision / 1000), milliseconds, request,
      reply, problem
    from unflushed cross join unnest(${column(({ record }) => record.accountId)}::text[], ${column(({ record }) => record.orderId)}::text[],
      ${column(({ exchange }) => exchange.id)}::text[], ${column(({ record }) => record.attempt)}::smallint[],
      ${column(({ record }) => record.provider)}::text[], ${column(({ exchange }) => exchange.operation)}::text[],
      ${column(({ exchange }) => exchange.startedAt)}::bigint[], ${column(({ exchange }) => Math.round(exchange.milliseconds))}::integer[],
      ${column(({ exchange }) => exchange.request)}::text[], ${column(({ exchange }) => exchange.reply)}::text[],
      ${column(({ exchange }) => exchange.problem)}::text[])
      as e (account_id, order_id, exchange_id, attempt, provider, operation, at, milliseconds, request, reply, problem)
    on conflict do nothing`;
}

type FactsRecord = AttemptRecord & { readonly facts: ProviderFacts };

/** One row for each attempt, sorted by key: a statement cannot update a row twice, and two batches must not deadlock. */
function latestFacts(records: readonly AttemptRecord[]): readonly FactsRecord[] {
  const byAttempt = new Map<string, FactsRecord>();
  for (const record of records) {
    if (!hasFacts(record)) continue;
    const key = `${record.accountId} ${record.orderId} ${record.attempt}`;
    const before = byAttempt.get(key)?.facts;
    byAttempt.set(key, before === undefined ? record : { ...record, facts: mergedFacts(before, record.facts) });
  }
  return [...byAttempt].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, record]) => record);
}

function hasFacts(record: AttemptRecord): record is FactsRecord {
  return record.facts !== null;
}

/** The later facts, with what only the earlier ones told. */
function mergedFacts(earlier: ProviderFacts, later: ProviderFacts): ProviderFacts {
  return {
    providerRef: later.providerRef ?? earlier.providerRef,
    cost: later.cost ?? earlier.cost,
    balance: later.balance ?? earlier.balance,
  };
}

function upsertFacts(sql: Queryable, all: readonly FactsRecord[]) {
  const column = <Value>(read: (one: FactsRecord) => Value): Value[] => all.map(read);
  return sql`
    insert into order_provider_refs as r (account_id, order_id, attempt, provider, provider_ref, cost, balance, at)
    select account_id, order_id, attempt, provider, provider_ref, cost, balance, to_timestamp(at::double precision / 1000)
    from unflushed cross join unnest(${column((one) => one.accountId)}::text[], ${column((one) => one.orderId)}::text[],
      ${column((one) => one.attempt)}::smallint[], ${column((one) => one.provider)}::text[],
      ${column(({ facts }) => facts.providerRef)}::text[], ${column(({ facts }) => facts.cost?.toString() ?? null)}::bigint[],
      ${column(({ facts }) => facts.balance?.toString() ?? null)}::bigint[], ${column((one) => one.at)}::bigint[])
      as f (account_id, order_id, attempt, provider, provider_ref, cost, balance, at)
    on conflict (account_id, order_id, attempt) do update set provider_ref = coalesce(excluded.provider_ref, r.provider_ref),
      cost = coalesce(excluded.cost, r.cost), balance = coalesce(excluded.balance, r.balance), at = excluded.at`;
}

export type ExchangeRow = Pick<
  Row<"provider_exchanges">,
  "attempt" | "provider" | "operation" | "at" | "milliseconds" | "request" | "reply" | "problem"
>;

// Sending and polling keep far fewer; staff can ask as often as they like.
const MAX_READ = 500;

/** The exchanges of an order, oldest first. */
export async function readExchanges(sql: Queryable, { accountId, orderId }: OrderKey): Promise<readonly ExchangeRow[]> {
  return await sql<ExchangeRow[]>`
    select attempt, provider, operation, at, milliseconds, request, reply, problem from provider_exchanges
    where account_id = ${accountId} and order_id = ${orderId} order by at, exchange_id limit ${MAX_READ}`;
}

export type ProviderRefRow = Pick<Row<"order_provider_refs">, "attempt" | "provider" | "provider_ref" | "cost" | "balance" | "at">;

/** What the providers told of an order's attempts. */
export async function readProviderRefs(sql: Queryable, { accountId, orderId }: OrderKey): Promise<readonly ProviderRefRow[]> {
  return await sql<ProviderRefRow[]>`
    select attempt, provider, provider_ref, cost, balance, at from order_provider_refs
    where account_id = ${accountId} and order_id = ${orderId} order by attempt`;
}

/** The provider's own id of an order's latest attempt; null if it has not told one. */
export async function readProviderRef(sql: Queryable, order: OrderKey & { readonly attempt: number }): Promise<string | null> {
  const [row] = await sql<{ provider_ref: string | null }[]>`
    select provider_ref from order_provider_refs
    where account_id = ${order.accountId} and order_id = ${order.orderId} and attempt = ${order.attempt}`;
  return row?.provider_ref ?? null;
}

/** The order that a provider calls by this id; null if there is none, or if the provider has used the id for several. */
export async function findByProviderRef(sql: Queryable, provider: string, providerRef: string): Promise<OrderKey | null> {
  const rows = await sql<{ account_id: string; order_id: string }[]>`
    select distinct account_id, order_id from order_provider_refs
    where provider = ${provider} and provider_ref = ${providerRef} limit 2`;
  const [row] = rows;
  return row && rows.length === 1 ? { accountId: row.account_id, orderId: row.order_id } : null;
}
