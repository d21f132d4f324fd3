import { moneyOf } from "../../platform/core/money.ts";
import type { Rate } from "../../platform/core/rate.ts";
import type { Queryable, Transaction } from "../../platform/db/connection.ts";
import type { Row } from "../../platform/db/schema/row-types.ts";
import type { Rule } from "./rule.ts";

export type RuleRow = Pick<
  Row<"pricing_rules">,
  | "rule_id"
  | "account_id"
  | "service"
  | "operator"
  | "fee_flat"
  | "fee_basis_points"
  | "fee_min"
  | "fee_max"
  | "commission_flat"
  | "commission_basis_points"
  | "commission_min"
  | "commission_max"
  | "valid_from"
  | "ended_at"
>;

export function ruleColumns(sql: Queryable) {
  return sql`r.rule_id, r.account_id, r.service, r.operator, r.fee_flat, r.fee_basis_points, r.fee_min, r.fee_max,
    r.commission_flat, r.commission_basis_points, r.commission_min, r.commission_max, r.valid_from, r.ended_at`;
}

export function toRule(row: RuleRow): Rule {
  return {
    ruleId: row.rule_id,
    accountId: row.account_id,
    service: row.service,
    operator: row.operator,
    fee: toRate(row.fee_flat, row.fee_basis_points, row.fee_min, row.fee_max),
    commission: toRate(row.commission_flat, row.commission_basis_points, row.commission_min, row.commission_max),
    validFrom: row.valid_from.getTime(),
    endedAt: row.ended_at?.getTime() ?? null,
  };
}

function toRate(flat: bigint, basisPoints: number, least: bigint | null, most: bigint | null): Rate {
  return {
    flat: moneyOf(flat),
    basisPoints: BigInt(basisPoints),
    ...(least === null ? {} : { least: moneyOf(least) }),
    ...(most === null ? {} : { most: moneyOf(most) }),
  };
}

/** All rules ever set, except those ended before their start. */
export async function readRules(sql: Queryable): Promise<readonly Rule[]> {
  const rows = await sql<RuleRow[]>`
    select ${ruleColumns(sql)} from pricing_rules r where r.ended_at is null or r.ended_at > r.valid_from`;
  return rows.map(toRule);
}

export type NewRule = Omit<Rule, "endedAt"> & { readonly reason: string; readonly createdBy: string; readonly createdAt: number };

export async function insertRule(tx: Transaction, rule: NewRule): Promise<void> {
  const { fee, commission } = rule;
  await tx`
    insert into pricing_rules (rule_id, account_id, service, operator, fee_flat, fee_basis_points, fee_min, fee_max,
      commission_flat, commission_basis_points, commission_min, commission_max, valid_from, reason, created_by, created_at)
    values (${rule.ruleId}, ${rule.accountId}, ${rule.service}, ${rule.operator},
      ${fee.flat}, ${Number(fee.basisPoints)}, ${fee.least ?? null}, ${fee.most ?? null},
      ${commission.flat}, ${Number(commission.basisPoints)}, ${commission.least ?? null}, ${commission.most ?? null},
      ${new Date(rule.validFrom)}, ${rule.reason}, ${rule.createdBy}, ${new Date(rule.createdAt)})`;
}

export async function markEnded(tx: Transaction, ruleId: string, at: number, actor: string): Promise<void> {
  await tx`update pricing_rules set ended_at = ${new Date(at)}, ended_by = ${actor} where rule_id = ${ruleId} and ended_at is null`;
}
