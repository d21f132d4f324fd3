import { moneyOrNull } from "../../platform/core/money.ts";
import type { Queryable, Transaction } from "../../platform/db/connection.ts";
import type { Row } from "../../platform/db/schema/row-types.ts";
import type { ApprovalRules } from "./rules.ts";

type RulesRow = Pick<
  Row<"approval_rules">,
  "wallet_threshold" | "order_threshold" | "keys_included" | "pricing_included" | "providers_included" | "expire_hours" | "new_person_hours"
>;

/** Read for every action, so that a change applies everywhere at once. */
export async function readRules(sql: Queryable): Promise<ApprovalRules> {
  return toRules(await sql<RulesRow[]>`select ${columns(sql)} from approval_rules`);
}

/** Locked until the transaction ends. */
export async function lockRules(tx: Transaction): Promise<ApprovalRules> {
  return toRules(await tx<RulesRow[]>`select ${columns(tx)} from approval_rules for update`);
}

export async function updateRules(tx: Transaction, rules: ApprovalRules): Promise<void> {
  await tx`
    update approval_rules set wallet_threshold = ${rules.walletThreshold}, order_threshold = ${rules.orderThreshold},
      keys_included = ${rules.keysIncluded}, pricing_included = ${rules.pricingIncluded},
      providers_included = ${rules.providersIncluded}, expire_hours = ${rules.expireHours}, new_person_hours = ${rules.newPersonHours}`;
}

function columns(sql: Queryable) {
  return sql`wallet_threshold, order_threshold, keys_included, pricing_included, providers_included, expire_hours, new_person_hours`;
}

function toRules([row]: readonly RulesRow[]): ApprovalRules {
  if (!row) throw new Error("The approval rules are missing.");
  return {
    walletThreshold: moneyOrNull(row.wallet_threshold),
    orderThreshold: moneyOrNull(row.order_threshold),
    keysIncluded: row.keys_included,
    pricingIncluded: row.pricing_included,
    providersIncluded: row.providers_included,
    expireHours: row.expire_hours,
    newPersonHours: row.new_person_hours,
  };
}
