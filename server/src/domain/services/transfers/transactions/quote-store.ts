import { type Money, moneyOf } from "../../../../platform/core/money.ts";
import type { Queryable, Transaction } from "../../../../platform/db/connection.ts";
import { stateNumber } from "../../../orders/order.ts";
import type { OrderKey } from "../../../orders/store.ts";
import type { BeneficiaryStatus } from "../beneficiaries/beneficiary-store.ts";
import type { SenderStatus } from "../senders/sender-store.ts";

export const MODES = ["IMPS", "NEFT"] as const;
export type Mode = (typeof MODES)[number];

export type NewQuote = {
  readonly accountId: string;
  readonly transferRef: string;
  readonly sender: string;
  readonly beneficiaryId: string;
  readonly mode: Mode;
  readonly amount: Money;
  readonly amountText: string;
  readonly fee: Money;
  /** The provider that keeps sender and beneficiary or minted the password; null when any without registration can send. */
  readonly provider: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
};

/** A quote with the current state of its sender and beneficiary. */
export type Quote = NewQuote & {
  readonly orderId: string | null;
  readonly senderStatus: SenderStatus;
  readonly beneficiaryStatus: BeneficiaryStatus;
};

type Row = {
  readonly account_id: string;
  readonly transfer_ref: string;
  readonly sender: string;
  readonly beneficiary_id: string;
  readonly mode: Mode;
  readonly amount: bigint;
  readonly amount_text: string;
  readonly fee: bigint;
  readonly provider: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly order_id: string | null;
  readonly sender_status: SenderStatus;
  readonly beneficiary_status: BeneficiaryStatus;
};

function toQuote(row: Row): Quote {
  return {
    accountId: row.account_id,
    transferRef: row.transfer_ref,
    sender: row.sender,
    beneficiaryId: row.beneficiary_id,
    mode: row.mode,
    amount: moneyOf(row.amount),
    amountText: row.amount_text,
    fee: moneyOf(row.fee),
    provider: row.provider,
    createdAt: row.created_at.getTime(),
    expiresAt: row.expires_at.getTime(),
    orderId: row.order_id,
    senderStatus: row.sender_status,
    beneficiaryStatus: row.beneficiary_status,
  };
}

function selectFrom(sql: Queryable) {
  return sql`
    select q.account_id, q.transfer_ref, q.sender, q.beneficiary_id, q.mode, q.amount, q.amount_text, q.fee, q.provider, q.created_at,
      q.expires_at, q.order_id, s.status as sender_status, b.status as beneficiary_status
    from transfer_quotes q
    join transfer_senders s on s.account_id = q.account_id and s.mobile = q.sender
    join transfer_beneficiaries b on b.account_id = q.account_id and b.beneficiary_id = q.beneficiary_id`;
}

export async function findQuote(sql: Queryable, accountId: string, transferRef: string): Promise<Quote | null> {
  const [row] = await sql<Row[]>`${selectFrom(sql)} where q.account_id = ${accountId} and q.transfer_ref = ${transferRef}`;
  return row ? toQuote(row) : null;
}

/** Locked until the transaction ends, together with its sender and beneficiary, so that it is used once. */
export async function lockQuote(tx: Transaction, accountId: string, transferRef: string): Promise<Quote | null> {
  const [row] = await tx<Row[]>`
    ${selectFrom(tx)} where q.account_id = ${accountId} and q.transfer_ref = ${transferRef} for update of q for share of s, b`;
  return row ? toQuote(row) : null;
}

export async function insertQuote(tx: Transaction, quote: NewQuote): Promise<void> {
  await tx`
    insert into transfer_quotes (account_id, transfer_ref, sender, beneficiary_id, mode, amount, amount_text, fee, provider, created_at,
      expires_at)
    values (${quote.accountId}, ${quote.transferRef}, ${quote.sender}, ${quote.beneficiaryId}, ${quote.mode}, ${quote.amount},
      ${quote.amountText}, ${quote.fee}, ${quote.provider}, ${new Date(quote.createdAt)}, ${new Date(quote.expiresAt)})`;
}

export async function useQuote(tx: Transaction, transferRef: string, order: OrderKey, month: string): Promise<void> {
  const { count } = await tx`
    update transfer_quotes set order_id = ${order.orderId}, used_month = ${month}
    where account_id = ${order.accountId} and transfer_ref = ${transferRef} and order_id is null`;
  if (count !== 1) throw new Error(`The quote ${transferRef} was used meanwhile.`);
}

/** The sum of a sender's transfers in a month, except those that failed or were reversed. */
export async function readUsed(sql: Queryable, accountId: string, sender: string, month: string): Promise<Money> {
  const [row] = await sql<{ used: bigint }[]>`
    select coalesce(sum(q.amount), 0)::bigint as used from transfer_quotes q
    join orders o on o.account_id = q.account_id and o.order_id = q.order_id and o.state <> ${stateNumber("FAILED")}
    where q.account_id = ${accountId} and q.sender = ${sender} and q.used_month = ${month} and q.order_id is not null`;
  return moneyOf(row?.used ?? 0n);
}

/** The transfer's own part of its reply. */
export type TransferSummary = {
  readonly mode: Mode;
  readonly beneficiaryId: string;
  readonly beneficiaryName: string;
  readonly accountMasked: string;
  readonly ifsc: string;
  readonly sender: string;
  /** Whether the success was reversed. */
  readonly refunded: boolean;
};

type SummaryRow = {
  readonly mode: Mode;
  readonly beneficiary_id: string;
  readonly name: string;
  readonly account_masked: string;
  readonly ifsc: string;
  readonly sender: string;
  readonly refunded: boolean;
};

export async function readTransfer(sql: Queryable, key: OrderKey): Promise<TransferSummary | null> {
  const [row] = await sql<SummaryRow[]>`
    select q.mode, q.beneficiary_id, b.name, b.account_masked, b.ifsc, q.sender, exists (
      select from transfers t where t.account_id = q.account_id and t.order_id = q.order_id and t.kind = 'reversal') as refunded
    from transfer_quotes q join transfer_beneficiaries b on b.account_id = q.account_id and b.beneficiary_id = q.beneficiary_id
    where q.account_id = ${key.accountId} and q.order_id = ${key.orderId}`;
  if (!row) return null;
  const { mode, beneficiary_id: beneficiaryId, name: beneficiaryName, account_masked: accountMasked, ifsc, sender, refunded } = row;
  return { mode, beneficiaryId, beneficiaryName, accountMasked, ifsc, sender, refunded };
}
