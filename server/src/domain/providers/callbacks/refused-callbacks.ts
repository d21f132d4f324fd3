import type { Clock } from "../../../platform/core/clock.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import type { Row } from "../../../platform/db/schema/row-types.ts";
import type { Log } from "../../../platform/observability/log.ts";
import type { CallbackRefusal, CallbackRefusalReason } from "./refused-callback.ts";

/** A refused callback of a provider. */
export type RefusedCallback = CallbackRefusal & {
  /** Null when the path names no known provider. */
  readonly provider: string | null;
  readonly method: string;
  readonly source: string;
  readonly excerpt: string;
};

export type RefusedCallbacks = {
  /** Never fails and never waits. Above the rate limit, callbacks are counted but not stored. */
  readonly keep: (refused: RefusedCallback) => void;
  /** The background job that deletes old ones. */
  readonly sweep: { readonly name: string; readonly everyMilliseconds: number; readonly run: () => Promise<void> };
};

type Dependencies = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly count?: (provider: string, outcome: string) => void;
};

const NOBODY = "-";
// Unauthenticated callbacks are stored separately, so that they cannot displace authentic ones.
const KEPT = 200;
const KEPT_MILLISECONDS = 30 * 24 * 3_600_000;
const SWEEP_MILLISECONDS = 3_600_000;
const MAX_PER_MINUTE = { authentic: 60, unproved: 20 };
const LONGEST = { reference: 64, source: 64 };

export function createRefusedCallbacks(deps: Dependencies): RefusedCallbacks {
  const mayKeep = rateLimit(deps.clock);
  return {
    keep: (refused) => {
      const provider = refused.provider ?? NOBODY;
      deps.count?.(provider, refused.refused);
      if (!mayKeep(`${provider}/${refused.authentic}`, refused.authentic ? MAX_PER_MINUTE.authentic : MAX_PER_MINUTE.unproved)) return;
      write(deps, provider, refused).catch((error: unknown) =>
        deps.log.warn({ err: error, provider, reason: refused.refused }, "storing a refused provider callback failed"),
      );
    },
    sweep: { name: "provider callback sweep", everyMilliseconds: SWEEP_MILLISECONDS, run: () => sweep(deps) },
  };
}

async function sweep({ sql, clock, ids }: Dependencies): Promise<void> {
  const before = ids.entry(Math.max(0, clock.now() - KEPT_MILLISECONDS));
  await sql`delete from refused_provider_callbacks where refusal_id < ${before}`;
}

/** A limit for each name and minute. */
function rateLimit(clock: Clock): (name: string, most: number) => boolean {
  let minute = 0;
  let counts = new Map<string, number>();
  return (name, most) => {
    const now = Math.floor(clock.now() / 60_000);
    if (now !== minute) [minute, counts] = [now, new Map()];
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count <= most;
  };
}

async function write({ sql, clock, ids }: Dependencies, provider: string, refused: RefusedCallback): Promise<void> {
  const { authentic, method, excerpt } = refused;
  const now = clock.now();
  await sql`
    insert into refused_provider_callbacks (refusal_id, provider, at, reason, authentic, method, source, reference, excerpt)
    values (${ids.entry(now)}, ${provider}, ${new Date(now)}, ${refused.refused}, ${authentic}, ${method},
      ${refused.source.slice(0, LONGEST.source)}, ${referenceOf(refused)}, ${excerpt})`;
  await sql`
    delete from refused_provider_callbacks where refusal_id in (
      select refusal_id from refused_provider_callbacks where provider = ${provider} and authentic = ${authentic}
      order by refusal_id desc offset ${KEPT})`;
}

function referenceOf({ reference }: RefusedCallback): string | null {
  return reference === null ? null : reference.replace(/\p{Cc}/gu, "").slice(0, LONGEST.reference);
}

export type RefusedCallbackRow = Pick<
  Row<"refused_provider_callbacks">,
  "refusal_id" | "provider" | "at" | "authentic" | "method" | "source" | "reference" | "excerpt"
> & {
  readonly reason: CallbackRefusalReason;
};

export type RefusedFilter = {
  readonly provider: string | null;
  readonly reason: CallbackRefusalReason | null;
  /** Only callbacks older than this id. */
  readonly before: string | null;
  readonly limit: number;
};

/** Lists refused callbacks, newest first. */
export async function listRefusedCallbacks(sql: Sql, filter: RefusedFilter): Promise<readonly RefusedCallbackRow[]> {
  const { provider, reason, before, limit } = filter;
  return await sql<RefusedCallbackRow[]>`
    select refusal_id, provider, at, reason, authentic, method, source, reference, excerpt from refused_provider_callbacks
    where true ${provider === null ? sql`` : sql`and provider = ${provider}`} ${reason === null ? sql`` : sql`and reason = ${reason}`}
      ${before === null ? sql`` : sql`and refusal_id < ${before}`}
    order by refusal_id desc limit ${limit}`;
}
