import { randomIds } from "../../../platform/core/ids.ts";
import type { Sql } from "../../../platform/db/connection.ts";

const ids = randomIds();

export type NewOrderRow = {
  readonly accountId: string;
  readonly at: number;
  readonly rupees?: number;
  readonly operator?: string;
  readonly provider?: string;
  readonly service?: string;
  readonly reference?: string;
  /** 0 pending, 1 SUCCESS, 2 FAILED. */
  readonly state?: 0 | 1 | 2;
  readonly watched?: boolean;
};

/** An order row without its transfers, for tests that only count orders. */
export async function orderRow(sql: Sql, row: NewOrderRow): Promise<string> {
  const { accountId, rupees = 10, operator = "AT", provider = "simulator", service = "recharge", state = 1 } = row;
  const orderId = ids.order(row.at);
  const at = new Date(row.at);
  await sql`
    insert into orders (account_id, order_id, service, reference, fingerprint, state, amount, amount_text, target, operator, provider, process_id,
      created_at, updated_at)
    values (${accountId}, ${orderId}, ${service}, ${row.reference ?? orderId}, '', ${state}, ${rupees * 10_000}, ${String(rupees)}, '9876543000',
      ${operator}, ${provider}, 'P', ${at}, ${at})`;
  await sql`
    insert into order_references (account_id, digest, order_id)
    values (${accountId}, order_reference_digest(${accountId}, ${service}, ${row.reference ?? orderId}, ''), ${orderId})`;
  if (row.watched === true)
    await sql`insert into pending_polls (account_id, order_id, why, since, due_at) values (${accountId}, ${orderId}, 'silent', ${at}, ${at})`;
  return orderId;
}
