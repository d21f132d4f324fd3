import type { Sealed } from "../../../../platform/crypto/keyring.ts";
import type { Queryable, Transaction } from "../../../../platform/db/connection.ts";
import { stateNumber } from "../../../orders/order.ts";

export type BeneficiaryStatus = "OTP_PENDING" | "ACTIVE" | "DELETED";

export type BeneficiaryKey = { readonly accountId: string; readonly beneficiaryId: string };

export type Beneficiary = BeneficiaryKey & {
  readonly sender: string;
  readonly name: string;
  readonly mobile: string | null;
  readonly bank: string;
  readonly bankName: string;
  readonly ifsc: string;
  readonly accountMasked: string;
  readonly number: Sealed;
  readonly numberDigest: Buffer;
  readonly status: BeneficiaryStatus;
  /** The account holder's name at the bank; null until a penny drop has found it. */
  readonly verifiedName: string | null;
  /** Whether a provider waits for a one-time password before it sends to this beneficiary. */
  readonly isWaiting: boolean;
};

type Row = {
  readonly account_id: string;
  readonly beneficiary_id: string;
  readonly sender: string;
  readonly name: string;
  readonly mobile: string | null;
  readonly bank: string;
  readonly bank_name: string;
  readonly ifsc: string;
  readonly account_masked: string;
  readonly account_key_id: string;
  readonly account_sealed: Buffer;
  readonly account_digest: Buffer;
  readonly status: BeneficiaryStatus;
  readonly verified_name: string | null;
  readonly is_waiting: boolean;
};

function toBeneficiary(row: Row): Beneficiary {
  return {
    accountId: row.account_id,
    beneficiaryId: row.beneficiary_id,
    sender: row.sender,
    name: row.name,
    mobile: row.mobile,
    bank: row.bank,
    bankName: row.bank_name,
    ifsc: row.ifsc,
    accountMasked: row.account_masked,
    number: { keyId: row.account_key_id, sealed: row.account_sealed },
    numberDigest: row.account_digest,
    status: row.status,
    verifiedName: row.verified_name,
    isWaiting: row.is_waiting,
  };
}

// A beneficiary is verified by a penny drop that was not reversed. One that was archived has kept the name.
function selectFrom(sql: Queryable) {
  return sql`
    select b.account_id, b.beneficiary_id, b.sender, b.name, b.mobile, b.bank, b.bank_name, b.ifsc, b.account_masked, b.account_key_id,
      b.account_sealed, b.account_digest, b.status, v.verified_name, exists (
        select from transfer_provider_beneficiaries w
        where w.account_id = b.account_id and w.beneficiary_id = b.beneficiary_id and w.status = 'OTP_PENDING') as is_waiting
    from transfer_beneficiaries b left join lateral (
      select case when o.order_id is null then p.archived_name else r.result ->> 'verified_name' end as verified_name
      from transfer_penny_drops p
      left join orders o on o.account_id = p.account_id and o.order_id = p.order_id
      left join order_results r on r.account_id = p.account_id and r.order_id = p.order_id
      where p.account_id = b.account_id and p.beneficiary_id = b.beneficiary_id
        and case when o.order_id is null then p.archived_name is not null
          else o.state = ${stateNumber("SUCCESS")} and r.order_id is not null end
      order by p.order_id desc limit 1
    ) v on true`;
}

export async function findBeneficiary(sql: Queryable, accountId: string, beneficiaryId: string): Promise<Beneficiary | null> {
  const [row] = await sql<Row[]>`${selectFrom(sql)} where b.account_id = ${accountId} and b.beneficiary_id = ${beneficiaryId}`;
  return row ? toBeneficiary(row) : null;
}

export type Place = { readonly accountId: string; readonly sender: string; readonly digests: readonly Buffer[]; readonly ifsc: string };

/** The existing beneficiary with this bank account, unless it was deleted. Lock the sender first to rely on it. */
export async function findByNumber(tx: Queryable, place: Place): Promise<Beneficiary | null> {
  const digests = place.digests.map((digest) => digest.toString("hex"));
  const [row] = await tx<Row[]>`
    ${selectFrom(tx)} where b.account_id = ${place.accountId} and b.sender = ${place.sender} and b.ifsc = ${place.ifsc}
      and b.status <> 'DELETED' and encode(b.account_digest, 'hex') = any(${digests})`;
  return row ? toBeneficiary(row) : null;
}

/** Beneficiaries of one sender or of all, newest first; `before` is the last one of the previous page. */
export async function readBeneficiaries(
  sql: Queryable,
  accountId: string,
  sender: string | null,
  page: { readonly before: string | null; readonly limit: number },
): Promise<readonly Beneficiary[]> {
  const rows = await sql<Row[]>`
    ${selectFrom(sql)} where b.account_id = ${accountId} ${sender === null ? sql`` : sql`and b.sender = ${sender}`}
      ${page.before === null ? sql`` : sql`and b.beneficiary_id < ${page.before}`}
    order by b.beneficiary_id desc limit ${page.limit}`;
  return rows.map(toBeneficiary);
}

export type NewBeneficiary = Omit<Beneficiary, "status" | "verifiedName" | "isWaiting">;

export async function insertBeneficiary(tx: Transaction, one: NewBeneficiary, at: Date): Promise<void> {
  await tx`
    insert into transfer_beneficiaries (account_id, beneficiary_id, sender, name, mobile, bank, bank_name, ifsc, account_masked,
      account_key_id, account_sealed, account_digest, created_at)
    values (${one.accountId}, ${one.beneficiaryId}, ${one.sender}, ${one.name}, ${one.mobile}, ${one.bank}, ${one.bankName}, ${one.ifsc},
      ${one.accountMasked}, ${one.number.keyId}, ${one.number.sealed}, ${one.numberDigest}, ${at})`;
}

/** Updates the name of a beneficiary that is waiting for its one-time password. */
export async function renameWaiting(tx: Transaction, key: BeneficiaryKey, name: string, mobile: string | null): Promise<void> {
  await tx`
    update transfer_beneficiaries set name = ${name}, mobile = ${mobile}
    where account_id = ${key.accountId} and beneficiary_id = ${key.beneficiaryId} and status = 'OTP_PENDING'`;
}

/** Returns false when the beneficiary was not in the state `from`. */
export async function moveStatus(tx: Queryable, key: BeneficiaryKey, from: BeneficiaryStatus, to: BeneficiaryStatus): Promise<boolean> {
  const { count } = await tx`
    update transfer_beneficiaries set status = ${to}
    where account_id = ${key.accountId} and beneficiary_id = ${key.beneficiaryId} and status = ${from}`;
  return count === 1;
}

type SealedRow = BeneficiaryKey & { readonly keyId: string; readonly sealed: Buffer };

export async function countOnOldKeys(sql: Queryable, currentKeyId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from transfer_beneficiaries where account_key_id <> ${currentKeyId}`;
  return row?.count ?? 0;
}

/** Skips rows that are locked, because waiting for them could cause a deadlock. */
export async function lockOnOldKeys(tx: Transaction, currentKeyId: string, rows: number): Promise<readonly SealedRow[]> {
  const chunk = await tx<Pick<Row, "account_id" | "beneficiary_id" | "account_key_id" | "account_sealed">[]>`
    select account_id, beneficiary_id, account_key_id, account_sealed from transfer_beneficiaries where account_key_id <> ${currentKeyId}
    order by account_id, beneficiary_id limit ${rows} for update skip locked`;
  return chunk.map((row) => ({
    accountId: row.account_id,
    beneficiaryId: row.beneficiary_id,
    keyId: row.account_key_id,
    sealed: row.account_sealed,
  }));
}

/** Waits for a key rotation that is retiring a key, and prevents one until the commit. */
export async function holdKeys(tx: Transaction): Promise<void> {
  await tx`select from audit_head for key share`;
}

export async function moveToKey(tx: Transaction, row: SealedRow, moved: Sealed & { readonly digest: Buffer }): Promise<void> {
  await tx`
    update transfer_beneficiaries set account_key_id = ${moved.keyId}, account_sealed = ${moved.sealed}, account_digest = ${moved.digest}
    where account_id = ${row.accountId} and beneficiary_id = ${row.beneficiaryId} and account_key_id = ${row.keyId}`;
}
