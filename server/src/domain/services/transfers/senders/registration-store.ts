import type { Queryable } from "../../../../platform/db/connection.ts";
import type { Row } from "../../../../platform/db/schema/row-types.ts";
import type { BeneficiaryKey } from "../beneficiaries/beneficiary-store.ts";
import type { SenderStatus } from "./sender-store.ts";

export type SenderKey = { readonly accountId: string; readonly mobile: string };

/** The providers that know a sender, with what they say about it; the latest first. */
export async function readSenderRegistrations(sql: Queryable, key: SenderKey): Promise<ReadonlyMap<string, SenderStatus>> {
  const rows = await sql<(Pick<Row<"transfer_provider_senders">, "provider"> & { status: SenderStatus })[]>`
    select provider, status from transfer_provider_senders where account_id = ${key.accountId} and mobile = ${key.mobile}
    order by updated_at desc`;
  return new Map(rows.map(({ provider, status }) => [provider, status]));
}

/** A verified sender stays verified when the provider has sent another one-time password meanwhile. */
export async function saveSenderRegistration(
  sql: Queryable,
  key: SenderKey,
  one: { readonly provider: string; readonly status: SenderStatus },
  at: Date,
): Promise<void> {
  await sql`
    insert into transfer_provider_senders (account_id, mobile, provider, status, updated_at)
    values (${key.accountId}, ${key.mobile}, ${one.provider}, ${one.status}, ${at})
    on conflict (account_id, mobile, provider) do update set status = excluded.status, updated_at = excluded.updated_at
      where transfer_provider_senders.status <> 'VERIFIED' or excluded.status <> 'OTP_PENDING'`;
}

/** Forgets a registration that the provider does not know any more. */
export async function forgetSenderRegistration(sql: Queryable, key: SenderKey, provider: string): Promise<void> {
  await sql`
    delete from transfer_provider_senders
    where account_id = ${key.accountId} and mobile = ${key.mobile} and provider = ${provider}`;
}

export type BeneficiaryRegistration = { readonly status: "OTP_PENDING" | "ACTIVE"; readonly ref: string };

/** The providers that know a beneficiary, with their own ids of it. */
export async function readBeneficiaryRegistrations(
  sql: Queryable,
  key: BeneficiaryKey,
): Promise<ReadonlyMap<string, BeneficiaryRegistration>> {
  type Known = Pick<Row<"transfer_provider_beneficiaries">, "provider" | "beneficiary_ref"> & Pick<BeneficiaryRegistration, "status">;
  const rows = await sql<Known[]>`
    select provider, status, beneficiary_ref from transfer_provider_beneficiaries
    where account_id = ${key.accountId} and beneficiary_id = ${key.beneficiaryId}`;
  return new Map(rows.map(({ provider, status, beneficiary_ref: ref }) => [provider, { status, ref }]));
}

/** An empty id keeps the one that the provider gave before. */
export async function saveBeneficiaryRegistration(
  sql: Queryable,
  key: BeneficiaryKey,
  one: BeneficiaryRegistration & { readonly provider: string },
  at: Date,
): Promise<void> {
  await sql`
    insert into transfer_provider_beneficiaries (account_id, beneficiary_id, provider, beneficiary_ref, status, updated_at)
    values (${key.accountId}, ${key.beneficiaryId}, ${one.provider}, ${one.ref}, ${one.status}, ${at})
    on conflict (account_id, beneficiary_id, provider) do update set status = excluded.status, updated_at = excluded.updated_at,
      beneficiary_ref = coalesce(nullif(excluded.beneficiary_ref, ''), transfer_provider_beneficiaries.beneficiary_ref)`;
}
