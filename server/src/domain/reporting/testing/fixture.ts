import { orderIdAt, randomIds } from "../../../platform/core/ids.ts";
import { indiaMidnight } from "../../../platform/core/india-time.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { newAccount, type TestSettings, testSettings } from "../../accounts/testing/settings.ts";
import type { OverviewContext } from "../context.ts";
import { countMinutes } from "../traffic/count-minutes.ts";

export const MINUTE = 60_000;
export const MIDNIGHT = indiaMidnight("2026-03-04") ?? 0;
/** Half a minute past two at night, so that the day has few minutes and none ends during a test. */
export const NOW = MIDNIGHT + 120 * MINUTE + 30_000;

export type MadeOrder = {
  readonly accountId: string;
  readonly at: number;
  readonly state: 0 | 1 | 2;
  readonly provider: string;
  readonly operator: string;
  readonly attempt: number;
  readonly rupees: number;
  readonly refunded: number | null;
  readonly credit: boolean;
  readonly operatorRef: string | null;
  readonly tookMilliseconds: number;
};

export type OverviewFixture = {
  readonly settings: TestSettings;
  readonly sql: Sql;
  readonly ctx: OverviewContext;
  readonly logged: { readonly message: string; readonly fields: object }[];
  /** A clock that advances only on request. */
  readonly clock: { readonly now: () => number; readonly advance: (milliseconds: number) => void };
  readonly accountId: string;
  readonly sandboxId: string;
  /** Creates orders without transfers, for tests that only read them. Returns the ids. */
  readonly make: (count: number, order?: Partial<MadeOrder>) => Promise<readonly string[]>;
  /** Counts all minutes that are due. */
  readonly count: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function createOverviewFixture(): Promise<OverviewFixture> {
  const settings = await testSettings();
  const { sql } = settings.database;
  let now = NOW;
  const clock = {
    now: () => now,
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
  };
  const logged: { message: string; fields: object }[] = [];
  const write = (fields: object, message: string) => void logged.push({ message, fields });
  const ctx: OverviewContext = {
    sql,
    clock,
    ids: randomIds(),
    vault: settings.ctx.vault,
    log: { info: write, warn: write } as OverviewContext["log"],
  };
  const { accountId } = await newAccount(settings.ctx);
  const { accountId: sandboxId } = await newAccount(settings.ctx, "A trial", true);
  let made = 0;
  return {
    settings,
    sql,
    ctx,
    logged,
    clock,
    accountId,
    sandboxId,
    make: async (count, order = {}) => {
      const ids = Array.from({ length: count }, () => orderIdAt(order.at ?? now) + String(++made).padStart(8, "0"));
      await insert(sql, ids, { ...usual(accountId, now), ...order });
      return ids;
    },
    count: async () => {
      do await sql`delete from periodic_job_runs`;
      while ((await countMinutes(ctx)) > 0);
    },
    close: settings.close,
  };
}

function usual(accountId: string, at: number): MadeOrder {
  return {
    ...{ accountId, at, state: 1, provider: "first", operator: "AT", attempt: 1, rupees: 10, refunded: null, credit: false },
    ...{ operatorRef: null, tookMilliseconds: 40 },
  };
}

async function insert(sql: Sql, ids: readonly string[], order: MadeOrder): Promise<void> {
  const [created, updated] = [new Date(order.at), new Date(order.at + order.tookMilliseconds)];
  const refunded = order.refunded === null ? null : BigInt(order.refunded) * 10_000n;
  await sql`
    insert into orders (account_id, order_id, service, reference, fingerprint, state, amount, amount_text, credit, refunded, target, operator,
      provider, attempt, operator_ref, process_id, created_at, updated_at)
    select ${order.accountId}, o.id, 'recharge', o.id, '', ${order.state}, ${BigInt(order.rupees) * 10_000n}, '10', ${order.credit}, ${refunded},
      '9876543210', ${order.operator}, ${order.provider}, ${order.attempt}, ${order.operatorRef}, 'P', ${created}, ${updated}
    from unnest(${ids as string[]}::text[]) as o (id)`;
}

/** Schedules polls for orders. */
export async function watch(sql: Sql, accountId: string, ids: readonly string[], why: string, needsHuman = false): Promise<void> {
  await sql`
    insert into pending_polls (account_id, order_id, why, since, due_at, needs_human)
    select ${accountId}, o.id, ${why}, now(), now(), ${needsHuman} from unnest(${ids as string[]}::text[]) as o (id)`;
}
