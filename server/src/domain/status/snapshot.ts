import type { Clock } from "../../platform/core/clock.ts";
import { indiaDate } from "../../platform/core/india-time.ts";
import type { Sql } from "../../platform/db/connection.ts";
import { claimTurn } from "../reporting/claim-turn.ts";
import { type Component, type Measured, measureComponents } from "./component.ts";
import { type DayRow, readDays, readEvents, readVisibility, type StatusEvent, type Visibility } from "./store.ts";

const HISTORY_DAYS = 90;
const DAY_MILLISECONDS = 86_400_000;
const FRESH_MILLISECONDS = 10_000;
const SAMPLE_MILLISECONDS = 60_000;

/** The status page at one moment. It names no client, no provider and no volume. */
export type StatusSnapshot = {
  readonly at: number;
  readonly visibility: Visibility;
  readonly components: readonly Component[];
  readonly events: readonly StatusEvent[];
  readonly days: readonly DayRow[];
};

export type StatusContext = Measured & { readonly sql: Sql; readonly clock: Clock };

/** Reads the status page at most every ten seconds. However many ask, one reading runs at a time. */
export function createStatusReader(ctx: StatusContext): () => Promise<StatusSnapshot> {
  let latest: Promise<StatusSnapshot> | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = ctx.clock.now();
    if (latest !== null && Math.abs(now - readAt) < FRESH_MILLISECONDS) return await latest;
    readAt = now;
    const own = readSnapshot(ctx);
    latest = own;
    // A failed reading is repeated by the next request.
    own.catch(() => {
      if (latest === own) latest = null;
    });
    return await own;
  };
}

export async function readSnapshot(ctx: StatusContext): Promise<StatusSnapshot> {
  const now = ctx.clock.now();
  const since = now - HISTORY_DAYS * DAY_MILLISECONDS;
  const [visibility, events, days] = await Promise.all([
    readVisibility(ctx.sql),
    readEvents(ctx.sql, new Date(since)),
    readDays(ctx.sql, indiaDate(since)),
  ]);
  return { at: now, visibility, components: measureComponents(ctx, now), events, days };
}

/** Adds the states of this minute to today's counts, in one process, and deletes days that are no longer shown. */
export async function sampleStatus(ctx: StatusContext): Promise<void> {
  const now = ctx.clock.now();
  if (!(await claimTurn(ctx.sql, "status sample", now, SAMPLE_MILLISECONDS - 1_000))) return;
  const components = measureComponents(ctx, now).filter(({ state }) => state !== "off" && state !== "closed");
  await ctx.sql`
    insert into status_days (component, day, samples, degraded, down)
    select sample.component, ${indiaDate(now)}::date, 1, (sample.state = 'degraded')::int, (sample.state = 'down')::int
    from unnest(${components.map((one) => one.component)}::text[], ${components.map((one) => one.state)}::text[]) as sample (component, state)
    on conflict (component, day) do update set
      samples = status_days.samples + 1, degraded = status_days.degraded + excluded.degraded, down = status_days.down + excluded.down`;
  await ctx.sql`delete from status_days where day < ${indiaDate(now - HISTORY_DAYS * DAY_MILLISECONDS)}::date`;
}
