import type { JsonObject } from "../../../../platform/core/strict-json.ts";
import type { Queryable } from "../../../../platform/db/connection.ts";
import type { Order } from "../../../orders/order.ts";
import { PENNY_DROP } from "../beneficiaries/verify-beneficiary.ts";

/**
 * What a provider's status operation may need of a transfer or a penny drop, as far as it is stored. The bank account's number
 * is masked and has a name of its own, so that no provider takes it for the real one.
 */
export async function storedTransferDetails(
  sql: Queryable,
  order: Pick<Order, "accountId" | "orderId" | "operation" | "provider">,
): Promise<JsonObject> {
  const ofOrder =
    order.operation === PENNY_DROP
      ? sql`select account_id, order_id, beneficiary_id, null as mode from transfer_penny_drops`
      : sql`select account_id, order_id, beneficiary_id, mode from transfer_quotes`;
  const [row] = await sql<Stored[]>`
    select o.mode, b.ifsc, b.account_masked, b.name as beneficiary_name, coalesce(r.beneficiary_ref, '') as beneficiary_ref,
      b.sender as sender_mobile
    from (${ofOrder}) o
    join transfer_beneficiaries b on b.account_id = o.account_id and b.beneficiary_id = o.beneficiary_id
    left join transfer_provider_beneficiaries r
      on r.account_id = b.account_id and r.beneficiary_id = b.beneficiary_id and r.provider = ${order.provider}
    where o.account_id = ${order.accountId} and o.order_id = ${order.orderId}`;
  if (!row) return {};
  const { mode, ...others } = row;
  return mode === null ? { ...others } : { mode, ...others };
}

type Stored = {
  readonly mode: string | null;
  readonly ifsc: string;
  readonly account_masked: string;
  readonly beneficiary_name: string;
  readonly beneficiary_ref: string;
  readonly sender_mobile: string;
};
