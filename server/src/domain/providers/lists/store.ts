import type { QueryValue } from "@corprail/connector";
import type { Queryable, Sql, Transaction } from "../../../platform/db/connection.ts";
import { inChunks } from "./in-chunks.ts";
import { LISTS, type ListKey, type ListName } from "./list.ts";

/** The state of a list, without its content. */
export type ListState = ListKey & {
  readonly items: number;
  /** Null until the provider has given the list for the first time. */
  readonly refreshedAt: Date | null;
  readonly checkedAt: Date | null;
  readonly failure: string | null;
  readonly failingSince: Date | null;
  readonly dueAt: Date;
  readonly leasedUntil: Date | null;
};

/** Whether a process is refreshing the list. */
export function isLeased({ leasedUntil }: ListState, now: number): boolean {
  return leasedUntil !== null && leasedUntil.getTime() > now;
}

export async function readListStates(sql: Queryable, provider: string | null = null): Promise<readonly ListState[]> {
  return await sql<ListState[]>`
    select provider, name, key, items, refreshed_at as "refreshedAt", checked_at as "checkedAt", failure,
      failing_since as "failingSince", due_at as "dueAt", leased_until as "leasedUntil"
    from provider_lists ${provider === null ? sql`` : sql`where provider = ${provider}`} order by provider, name, key`;
}

export async function readListState(sql: Queryable, { provider, name, key }: ListKey): Promise<ListState | null> {
  const states = await readListStates(sql, provider);
  return states.find((one) => one.name === name && one.key === key) ?? null;
}

const FETCHED_ROWS = 250;

/** A stored list. It is read and checked in small parts, because it may have several megabytes. */
export async function readListValue<Name extends ListName>(sql: Sql, { provider, name, key }: ListKey<Name>): Promise<QueryValue<Name>> {
  const { field, parse, join } = LISTS[name];
  const parts: QueryValue<Name>[] = [];
  const rows = sql<{ item: unknown }[]>`
    select item from provider_lists, jsonb_array_elements(value -> ${field}::text) as item
    where provider = ${provider} and name = ${name} and key = ${key}`;
  for await (const chunk of rows.cursor(FETCHED_ROWS)) parts.push(parse(chunk.map(({ item }) => item)));
  return join(parts);
}

/** The right to refresh a list, which one process has at a time. */
export type Lease = { readonly until: Date; readonly items: number; readonly failures: number; readonly acceptSmaller: boolean };

export type LeaseRequest = ListKey & {
  readonly now: number;
  readonly until: number;
};

/** Takes the lease of a list that is due, or that does not exist yet. Null when it is not due or another process has the lease. */
export async function takeLease(sql: Queryable, request: LeaseRequest): Promise<Lease | null> {
  const { provider, name, key } = request;
  const [now, until] = [new Date(request.now), new Date(request.until)];
  const [row] = await sql<Lease[]>`
    insert into provider_lists (provider, name, key, due_at, leased_until) values (${provider}, ${name}, ${key}, ${now}, ${until})
    on conflict (provider, name, key) do update set leased_until = excluded.leased_until
      where provider_lists.due_at <= ${now} and (provider_lists.leased_until is null or provider_lists.leased_until <= ${now})
    returning leased_until as until, items, failures, accept_smaller as "acceptSmaller"`;
  return row ?? null;
}

export type Taken<Name extends ListName> = { readonly value: QueryValue<Name>; readonly at: number; readonly dueAt: number };

/** Stores a list. False when the lease has expired and another process has taken it since. */
export async function storeList<Name extends ListName>(
  sql: Queryable,
  list: ListKey<Name>,
  lease: Lease,
  { value, at, dueAt }: Taken<Name>,
): Promise<boolean> {
  const { provider, name, key } = list;
  const { field, itemsOf } = LISTS[name];
  const items = itemsOf(value);
  const parts = await inChunks(items, (chunk) => JSON.stringify(chunk).slice(1, -1));
  const text = `{"${field}":[${parts.join(",")}]}`;
  const { count } = await sql`
    update provider_lists set value = ${text}::text::jsonb, items = ${items.length}, refreshed_at = ${new Date(at)},
      checked_at = ${new Date(at)}, failure = null, failing_since = null, failures = 0, due_at = ${new Date(dueAt)},
      accept_smaller = false, leased_until = null
    where provider = ${provider} and name = ${name} and key = ${key} and leased_until = ${lease.until}`;
  return count > 0;
}

export type Failed = { readonly why: string; readonly at: number; readonly dueAt: number };

/** Records that a list could not be refreshed. The last good one stays. */
export async function storeFailure(sql: Queryable, list: ListKey, lease: Lease, { why, at, dueAt }: Failed): Promise<void> {
  const { provider, name, key } = list;
  await sql`
    update provider_lists set failure = ${why}, failing_since = coalesce(failing_since, ${new Date(at)}), failures = failures + 1,
      checked_at = ${new Date(at)}, due_at = ${new Date(dueAt)}, accept_smaller = false, leased_until = null
    where provider = ${provider} and name = ${name} and key = ${key} and leased_until = ${lease.until}`;
}

/** Gives a lease back without a result, because this process stops. */
export async function releaseLease(sql: Queryable, { provider, name, key }: ListKey, lease: Lease): Promise<void> {
  await sql`
    update provider_lists set leased_until = null
    where provider = ${provider} and name = ${name} and key = ${key} and leased_until = ${lease.until}`;
}

/** Makes all lists of a provider due. Returns how many there are. */
export async function makeListsDue(tx: Transaction, provider: string, acceptSmaller: boolean, now: number): Promise<number> {
  const { count } = await tx`
    update provider_lists set due_at = ${new Date(now)}, accept_smaller = ${acceptSmaller} where provider = ${provider}`;
  return count;
}

/** Lists of enabled providers with a route that could not be refreshed. */
export async function readFailingLists(sql: Queryable): Promise<readonly ListState[]> {
  return await sql<ListState[]>`
    select l.provider, l.name, l.key, l.items, l.refreshed_at as "refreshedAt", l.checked_at as "checkedAt", l.failure,
      l.failing_since as "failingSince", l.due_at as "dueAt", l.leased_until as "leasedUntil"
    from provider_lists l join providers p on p.provider = l.provider
    where l.failure is not null and p.enabled
      and exists (select from provider_routes r where r.provider = l.provider and r.enabled)
    order by l.provider, l.name, l.key`;
}
