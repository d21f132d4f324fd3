import type { Fragment } from "postgres";
import type { Queryable } from "../../platform/db/connection.ts";
import type { Rule } from "./rule.ts";
import { type RuleRow, ruleColumns, toRule } from "./store.ts";

export const RULE_STATES = ["in_force", "scheduled", "ended"] as const;
export type RuleState = (typeof RULE_STATES)[number];

/** A rule with its current state. */
export type ShownRule = Rule & {
  readonly state: RuleState;
  /** When it ended or ends, manually or by its successor; null when unknown. */
  readonly until: number | null;
  readonly accountName: string | null;
  readonly reason: string;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly endedBy: string | null;
};

type ShownRow = RuleRow & {
  readonly state: RuleState;
  readonly until: Date | null;
  readonly account_name: string | null;
  readonly reason: string;
  readonly created_by: string;
  readonly created_at: Date;
  readonly ended_by: string | null;
};

export type RuleFilter = {
  readonly accountId?: string | undefined;
  readonly service?: string | undefined;
  readonly operator?: string | undefined;
  readonly state?: RuleState | undefined;
  /** Only rules with a smaller id. */
  readonly before: string | null;
  readonly limit: number;
};

/** Lists rules, newest first. */
export async function listRules(sql: Queryable, filter: RuleFilter, now: number): Promise<readonly ShownRule[]> {
  const { accountId, service, operator, state, before } = filter;
  return await readRules(
    sql,
    now,
    sql`${accountId === undefined ? sql`true` : sql`r.account_id = ${accountId}`}
      and ${service === undefined ? sql`true` : sql`r.service = ${service}`}
      and ${operator === undefined ? sql`true` : sql`r.operator = ${operator}`}
      and ${before === null ? sql`true` : sql`r.rule_id < ${before}`}`,
    sql`${state === undefined ? sql`true` : sql`s.state = ${state}`} order by r.rule_id desc limit ${filter.limit}`,
  );
}

export async function findRule(sql: Queryable, ruleId: string, now: number): Promise<ShownRule | null> {
  const [rule] = await readRules(sql, now, sql`r.rule_id = ${ruleId}`, sql`true`);
  return rule ?? null;
}

async function readRules(sql: Queryable, now: number, condition: Fragment, stateAndOrder: Fragment): Promise<readonly ShownRule[]> {
  const at = new Date(now);
  const rows = await sql<ShownRow[]>`
    select ${ruleColumns(sql)}, s.state, u.until, a.name as account_name, r.reason, r.created_by, r.created_at, r.ended_by
    from pricing_rules r
    left join accounts a on a.account_id = r.account_id
    -- The next one for the same ends it.
    cross join lateral (
      select min(n.valid_from) as follower from pricing_rules n
      where n.account_id is not distinct from r.account_id and n.service is not distinct from r.service
        and n.operator is not distinct from r.operator and (n.valid_from, n.rule_id) > (r.valid_from, r.rule_id)
        and (n.ended_at is null or n.ended_at > n.valid_from)) f
    cross join lateral (select least(r.ended_at, f.follower) as until) u
    cross join lateral (select case
      when u.until <= ${at} or u.until <= r.valid_from then 'ended' when r.valid_from > ${at} then 'scheduled' else 'in_force' end as state) s
    where ${condition} and ${stateAndOrder}`;
  return rows.map(toShown);
}

function toShown(row: ShownRow): ShownRule {
  return {
    ...toRule(row),
    state: row.state,
    until: row.until?.getTime() ?? null,
    accountName: row.account_name,
    reason: row.reason,
    createdBy: row.created_by,
    createdAt: row.created_at.getTime(),
    endedBy: row.ended_by,
  };
}
