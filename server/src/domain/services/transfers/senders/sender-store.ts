import type { Queryable, Transaction } from "../../../../platform/db/connection.ts";
import type { Row as TableRow } from "../../../../platform/db/schema/row-types.ts";

export type SenderStatus = "OTP_PENDING" | "VERIFIED" | "BLOCKED";

export type SenderDetails = {
  readonly mobile: string;
  readonly firstName: string;
  readonly lastName: string | null;
  readonly pincode: string;
};

export type Sender = SenderDetails & { readonly status: SenderStatus };

type Row = Pick<TableRow<"transfer_senders">, "mobile" | "first_name" | "last_name" | "pincode"> & {
  readonly status: SenderStatus;
};

function toSender(row: Row): Sender {
  return { mobile: row.mobile, firstName: row.first_name, lastName: row.last_name, pincode: row.pincode, status: row.status };
}

export function nameOf(sender: SenderDetails): string {
  return sender.lastName === null ? sender.firstName : `${sender.firstName} ${sender.lastName}`;
}

export async function findSender(sql: Queryable, accountId: string, mobile: string): Promise<Sender | null> {
  const [row] = await sql<Row[]>`
    select mobile, first_name, last_name, pincode, status from transfer_senders where account_id = ${accountId} and mobile = ${mobile}`;
  return row ? toSender(row) : null;
}

/** The same with a lock until the transaction ends, so that changes of one sender's records are serialised. */
export async function lockSender(tx: Transaction, accountId: string, mobile: string): Promise<Sender | null> {
  const [row] = await tx<Row[]>`
    select mobile, first_name, last_name, pincode, status from transfer_senders
    where account_id = ${accountId} and mobile = ${mobile} for update`;
  return row ? toSender(row) : null;
}

/** Adds a sender, or updates the details of one whose mobile is not verified yet. Others stay unchanged. */
export async function saveSender(tx: Transaction, accountId: string, details: SenderDetails, at: Date): Promise<Sender> {
  await tx`
    insert into transfer_senders (account_id, mobile, first_name, last_name, pincode, created_at)
    values (${accountId}, ${details.mobile}, ${details.firstName}, ${details.lastName}, ${details.pincode}, ${at})
    on conflict (account_id, mobile) do update
      set first_name = excluded.first_name, last_name = excluded.last_name, pincode = excluded.pincode
      where transfer_senders.status = 'OTP_PENDING'`;
  const sender = await lockSender(tx, accountId, details.mobile);
  if (!sender) throw new Error(`The sender ${details.mobile} was not written.`);
  return sender;
}

/** Stores the provider's decision for a sender that waits for it. Others stay unchanged. */
export async function decideSender(sql: Queryable, accountId: string, mobile: string, status: "VERIFIED" | "BLOCKED"): Promise<void> {
  await sql`
    update transfer_senders set status = ${status}
    where account_id = ${accountId} and mobile = ${mobile} and status = 'OTP_PENDING'`;
}
