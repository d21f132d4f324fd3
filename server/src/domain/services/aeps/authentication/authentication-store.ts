import type { Queryable } from "../../../../platform/db/connection.ts";
import type { OutletKey } from "../outlets/outlet-store.ts";

export type Authenticated = OutletKey & {
  readonly authRef: string;
  readonly type: "DAILY" | "TXN";
  readonly bankIin: string | null;
  readonly personDigest: Buffer;
  readonly validUntil: number;
  /** The provider's own reference; empty when it has none. */
  readonly providerAuthRef: string;
};

/** Stores an authentication and deletes the outlet's old ones. */
export async function insertAuthentication(sql: Queryable, one: Authenticated, overBefore: Date): Promise<void> {
  await sql`
    delete from aeps_authentications
    where account_id = ${one.accountId} and outlet_id = ${one.outletId} and valid_until < ${overBefore}`;
  await sql`
    insert into aeps_authentications (account_id, auth_ref, outlet_id, type, bank_iin, person_digest, valid_until, provider_auth_ref)
    values (${one.accountId}, ${one.authRef}, ${one.outletId}, ${one.type}, ${one.bankIin}, ${one.personDigest},
      ${new Date(one.validUntil)}, ${one.providerAuthRef})`;
}

/** The provider's own reference of an authentication; empty when there is none. Whether it may be used is decided at its use. */
export async function readProviderAuthRef(sql: Queryable, { accountId, outletId }: OutletKey, authRef: string): Promise<string> {
  const [row] = await sql<{ provider_auth_ref: string }[]>`
    select provider_auth_ref from aeps_authentications
    where account_id = ${accountId} and auth_ref = ${authRef} and outlet_id = ${outletId}`;
  return row?.provider_auth_ref ?? "";
}

export type Use = OutletKey & {
  readonly authRef: string;
  readonly orderId: string;
  readonly bankIin: string;
  /** The persons whose authentication may be used: the outlet's owner or the customer. */
  readonly persons: readonly [Buffer, Buffer];
  readonly at: Date;
};

/** Uses a TXN authentication for an order. Returns false when there is no valid one. */
export async function useAuthentication(sql: Queryable, use: Use): Promise<boolean> {
  const [owner, customer] = use.persons;
  const { count } = await sql`
    update aeps_authentications set order_id = ${use.orderId}
    where account_id = ${use.accountId} and auth_ref = ${use.authRef} and outlet_id = ${use.outletId} and type = 'TXN'
      and bank_iin = ${use.bankIin} and person_digest in (${owner}, ${customer}) and valid_until > ${use.at} and order_id is null`;
  return count === 1;
}

/** Whether a reference is the outlet's DAILY authentication of today, which can be used any number of times. */
export async function isDailyAuthentication(sql: Queryable, use: Pick<Use, "accountId" | "outletId" | "authRef" | "at">): Promise<boolean> {
  const [row] = await sql`
    select 1 from aeps_authentications
    where account_id = ${use.accountId} and auth_ref = ${use.authRef} and outlet_id = ${use.outletId} and type = 'DAILY'
      and valid_until > ${use.at}`;
  return row !== undefined;
}
