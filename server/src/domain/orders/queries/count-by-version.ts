import { orderIdAt } from "../../../platform/core/ids.ts";
import type { Sql } from "../../../platform/db/connection.ts";

/** The orders of a provider's version that were made in the window. */
export type VersionCount = {
  readonly version: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Neither succeeded nor failed yet. */
  readonly pending: number;
};

const MAX_SCANNED = 50_000;
const DAY_MILLISECONDS = 24 * 3_600_000;

/** Counts the orders of the last day by version. Scans only the newest orders, so that the console can show it at once. */
export async function countByVersion(sql: Sql, provider: string, now: number): Promise<readonly VersionCount[]> {
  return await sql<VersionCount[]>`
    select provider_version as version, count(*) filter (where state = 1)::int as succeeded,
      count(*) filter (where state = 2)::int as failed, count(*) filter (where state = 0)::int as pending
    from (
      select provider, provider_version, state from orders where order_id >= ${orderIdAt(now - DAY_MILLISECONDS)}
      order by order_id desc limit ${MAX_SCANNED}) recent
    where provider = ${provider} and provider_version is not null
    group by provider_version`;
}
