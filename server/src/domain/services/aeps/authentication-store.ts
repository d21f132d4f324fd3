import type { Queryable } from "../../../platform/db/connection.ts";
import type { OutletKey } from "./outlet-store.ts";

export type Authenticated = OutletKey & {
  readonly authRef: string;
  readonly type: "DAILY" | "TXN";
  readonly bankIin: string | null;
  readonly personDigest: Buffer;
  readonly validUntil: number;
};

/** Keeps an authentication, and drops the outlet's that are long over. */
export async function insertAuthentication(sql: Queryable, one: Authenticated, overBefore: Date): Promise<void> {
  await sql`
    delete from aeps_authentications
    where account_id = ${one.accountId} and outlet_id = ${one.outletId} and valid_until < ${overBefore}`;
  await sql`
    insert into aeps_authentications (account_id, auth_ref, outlet_id, type, bank_iin, person_digest, valid_until)
    values (${one.accountId}, ${one.authRef}, ${one.outletId}, ${one.type}, ${one.bankIin}, ${one.personDigest},
      ${new Date(one.validUntil)})`;
}

export type Use = OutletKey & {
  readonly authRef: string;
  readonly orderId: string;
  readonly bankIin: string;
  /** Whose authentication may be used: the outlet's owner's, or the customer's. */
  readonly persons: readonly [Buffer, Buffer];
  readonly at: Date;
};

/** Uses a TXN authentication up for an order. False when there is none that is good for it. */
export async function useAuthentication(sql: Queryable, use: Use): Promise<boolean> {
  const [owner, customer] = use.persons;
  const { count } = await sql`
    update aeps_authentications set order_id = ${use.orderId}
    where account_id = ${use.accountId} and auth_ref = ${use.authRef} and outlet_id = ${use.outletId} and type = 'TXN'
      and bank_iin = ${use.bankIin} and person_digest in (${owner}, ${customer}) and valid_until > ${use.at} and order_id is null`;
  return count === 1;
}

/** Whether a reference is the outlet's own of today; it can be named any number of times. */
export async function isDailyAuthentication(sql: Queryable, use: Pick<Use, "accountId" | "outletId" | "authRef" | "at">): Promise<boolean> {
  const [row] = await sql`
    select 1 from aeps_authentications
    where account_id = ${use.accountId} and auth_ref = ${use.authRef} and outlet_id = ${use.outletId} and type = 'DAILY'
      and valid_until > ${use.at}`;
  return row !== undefined;
}
