import type { Money } from "../../platform/core/money.ts";
import { moneyOf } from "../../platform/core/money.ts";
import type { Queryable, Sql } from "../../platform/db/connection.ts";
import type { Row as TableRow } from "../../platform/db/schema/row-types.ts";
import type { ComplaintKey } from "./store.ts";

/** A complaint that is with a provider, or is to be passed on to it. */
export type ProviderComplaint = ComplaintKey & {
  readonly provider: string;
  /** Null until the provider has taken the complaint. */
  readonly providerComplaintRef: string | null;
  readonly tries: number;
  readonly reasonCode: string;
  readonly description: string;
  readonly order: {
    readonly orderId: string;
    readonly service: string;
    readonly amount: Money;
    readonly operatorRef: string;
    readonly providerRef: string;
    readonly createdAt: number;
  };
};

type Row = {
  readonly account_id: string;
  readonly complaint_ref: string;
  readonly provider: string;
  readonly provider_complaint_ref: string | null;
  readonly tries: number;
  readonly reason_code: string;
  readonly description: string;
  readonly order_id: string;
  readonly service: string;
  readonly amount: bigint;
  readonly operator_ref: string;
  readonly provider_ref: string;
  readonly created_at: Date;
};

/** Adds open complaints about orders of these providers. */
export async function addProviderComplaints(sql: Sql, providers: readonly string[], now: number): Promise<void> {
  await sql`
    insert into provider_complaints (account_id, complaint_ref, provider, next_at)
    select c.account_id, c.complaint_ref, o.provider, ${new Date(now)}
    from complaints c join orders o on o.account_id = c.account_id and o.order_id = c.order_id
    where c.status = 'OPEN' and c.stage = 'logged' and o.provider = any(${providers as string[]})
    on conflict do nothing`;
}

// While one process asks a provider, no other does. If that process dies, the complaint is due again after this time.
const LEASE_MILLISECONDS = 60_000;

/**
 * Claims complaints that are due, and deletes those that were decided otherwise. While an account is between two cells neither
 * claims its complaints: what the provider answers would be written into one copy and asked again from the other.
 */
export async function claimProviderComplaints(sql: Sql, now: number, limit: number): Promise<readonly ProviderComplaint[]> {
  await sql`
    delete from provider_complaints p using complaints c
    where c.account_id = p.account_id and c.complaint_ref = p.complaint_ref and c.status <> 'OPEN' and p.next_at <= ${new Date(now)}`;
  const rows = await sql<Row[]>`
    update provider_complaints p set next_at = ${new Date(now + LEASE_MILLISECONDS)}
    from complaints c
      join orders o on o.account_id = c.account_id and o.order_id = c.order_id
      left join order_provider_refs r on r.account_id = o.account_id and r.order_id = o.order_id and r.attempt = o.attempt
    where c.account_id = p.account_id and c.complaint_ref = p.complaint_ref and (p.account_id, p.complaint_ref) in (
      select account_id, complaint_ref from provider_complaints d
      where next_at <= ${new Date(now)} and (select w.moved_to from wallets w where w.account_id = d.account_id) is null
      order by next_at limit ${limit} for update skip locked)
    returning p.account_id, p.complaint_ref, p.provider, p.provider_complaint_ref, p.tries, c.reason_code, c.description, o.order_id,
      o.service, o.amount, coalesce(o.operator_ref, '') as operator_ref, coalesce(r.provider_ref, '') as provider_ref, o.created_at`;
  return rows.map(toProviderComplaint);
}

function toProviderComplaint(row: Row): ProviderComplaint {
  return {
    accountId: row.account_id,
    complaintRef: row.complaint_ref,
    provider: row.provider,
    providerComplaintRef: row.provider_complaint_ref,
    tries: row.tries,
    reasonCode: row.reason_code,
    description: row.description,
    order: {
      orderId: row.order_id,
      service: row.service,
      amount: moneyOf(row.amount),
      operatorRef: row.operator_ref,
      providerRef: row.provider_ref,
      createdAt: row.created_at.getTime(),
    },
  };
}

/** How far a complaint was passed on, for staff. */
export type ProviderAnswer = {
  readonly provider: string;
  /** Null until the provider has taken the complaint. */
  readonly providerComplaintRef: string | null;
  /** What the provider said last, or why there was no answer. */
  readonly lastAnswer: string;
  readonly nextAt: number;
};

/** Null for a complaint that is not passed on, or was decided. */
export async function findProviderAnswer(sql: Queryable, { accountId, complaintRef }: ComplaintKey): Promise<ProviderAnswer | null> {
  const [row] = await sql<Pick<TableRow<"provider_complaints">, "provider" | "provider_complaint_ref" | "last_answer" | "next_at">[]>`
    select p.provider, p.provider_complaint_ref, p.last_answer, p.next_at
    from provider_complaints p join complaints c on c.account_id = p.account_id and c.complaint_ref = p.complaint_ref
    where p.account_id = ${accountId} and p.complaint_ref = ${complaintRef} and c.status = 'OPEN'`;
  if (!row) return null;
  const { provider, provider_complaint_ref: providerComplaintRef, last_answer: lastAnswer, next_at: nextAt } = row;
  return { provider, providerComplaintRef, lastAnswer, nextAt: nextAt.getTime() };
}

/** Records that the provider has taken the complaint; the client sees the new stage. */
export async function recordTaken(sql: Sql, key: ComplaintKey, providerComplaintRef: string, nextAt: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`
      update provider_complaints set provider_complaint_ref = ${providerComplaintRef}, tries = 0, next_at = ${new Date(nextAt)}, last_answer = ''
      where account_id = ${key.accountId} and complaint_ref = ${key.complaintRef}`;
    await tx`
      update complaints set stage = 'with_operator'
      where account_id = ${key.accountId} and complaint_ref = ${key.complaintRef} and status = 'OPEN' and stage = 'logged'`;
  });
}

export async function postponeProviderComplaint(sql: Sql, key: ComplaintKey, answer: string, nextAt: number): Promise<void> {
  await sql`
    update provider_complaints set tries = tries + 1, next_at = ${new Date(nextAt)}, last_answer = ${answer}
    where account_id = ${key.accountId} and complaint_ref = ${key.complaintRef}`;
}
