import type { Fragment } from "postgres";
import type { Queryable, Transaction } from "../../../platform/db/connection.ts";
import type { Row } from "../../../platform/db/schema/row-types.ts";
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
export async function insertRecordsUnflushed(sql: Queryable, records: readonly AttemptRecord[]): Promise<void> {
  const unflushed = sql`unflushed as materialized (select set_config('synchronous_commit', 'off', true))`;
  await insert(sql, records, { before: sql`${unflushed},`, from: sql`from unflushed` });
}

/** Writes the records in the transaction of the change that they led to. Repeating it changes nothing. */
export async function insertRecords(tx: Transaction, records: readonly AttemptRecord[]): Promise<void> {
  if (records.length > 0) await insert(tx, records, { before: tx``, from: tx`` });
}

type Around = { readonly before: Fragment; readonly from: Fragment };

async function insert(sql: Queryable, records: readonly AttemptRecord[], { before, from }: Around): Promise<void> {
  const [exchanges, facts] = [exchangesOf(records), latestFacts(records)];
  const inserted = sql`${insertExchanges(sql, exchanges, from)} on conflict do nothing`;
  const upserted = sql`${insertFacts(sql, facts, from)}
    on conflict (account_id, order_id, attempt) do update set provider_ref = coalesce(excluded.provider_ref, r.provider_ref),
      cost = coalesce(excluded.cost, r.cost), balance = coalesce(excluded.balance, r.balance), at = excluded.at`;
  await sql`with ${before} exchanges as (${inserted}), facts as (${upserted}) select`;
}

/**
 * The records of new attempts as parts of a WITH clause, for the statement that writes what they led to. A row that exists
 * already raises, which is cheaper than looking for each.
 */
export function newRecords(sql: Queryable, records: readonly AttemptRecord[]): Fragment {
  const exchanges = insertExchanges(sql, exchangesOf(records), sql``);
  return sql`exchanges as (${exchanges}), facts as (${insertFacts(sql, records.filter(hasFacts), sql``)})`;
}

type OfRecord = { readonly record: AttemptRecord; readonly exchange: KeptExchange };

function exchangesOf(records: readonly AttemptRecord[]): readonly OfRecord[] {
  return records.flatMap((record) => record.exchanges.map((exchange) => ({ record, exchange })));
}

function insertExchanges(sql: Queryable, all: readonly OfRecord[], from: Fragment): Fragment {
  const column = <Value>(read: (one: OfRecord) => Value): Value[] => all.map(read);
  return sql`
    insert into provider_exchanges (account_id, order_id, exchange_id, attempt, provider, operation, at, milliseconds, request, reply, problem)
    select unnest(${column(({ record }) => record.accountId)}::text[]), unnest(${column(({ record }) => record.orderId)}::text[]),
      unnest(${column(({ exchange }) => exchange.id)}::text[]), unnest(${column(({ record }) => record.attempt)}::smallint[]),
      unnest(${column(({ record }) => record.provider)}::text[]), unnest(${column(({ exchange }) => exchange.operation)}::text[]),
      to_timestamp(unnest(${column(({ exchange }) => exchange.startedAt)}::bigint[])::double precision / 1000),
      unnest(${column(({ exchange }) => Math.round(exchange.milliseconds))}::integer[]),
      unnest(${column(({ exchange }) => exchange.request)}::text[]), unnest(${column(({ exchange }) => exchange.reply)}::text[]),
      unnest(${column(({ exchange }) => exchange.problem)}::text[]) ${from}`;
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

function insertFacts(sql: Queryable, all: readonly FactsRecord[], from: Fragment): Fragment {
  const column = <Value>(read: (one: FactsRecord) => Value): Value[] => all.map(read);
  return sql`
    insert into order_provider_refs as r (account_id, order_id, attempt, provider, provider_ref, cost, balance, at)
    select unnest(${column((one) => one.accountId)}::text[]), unnest(${column((one) => one.orderId)}::text[]),
      unnest(${column((one) => one.attempt)}::smallint[]), unnest(${column((one) => one.provider)}::text[]),
      unnest(${column(({ facts }) => facts.providerRef)}::text[]), unnest(${column(({ facts }) => facts.cost?.toString() ?? null)}::bigint[]),
      unnest(${column(({ facts }) => facts.balance?.toString() ?? null)}::bigint[]),
      to_timestamp(unnest(${column((one) => one.at)}::bigint[])::double precision / 1000) ${from}`;
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
