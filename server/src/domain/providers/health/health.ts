import type { Outcome } from "../connector.ts";

export type OperatorHealth = {
  readonly status: "up" | "slow" | "down";
  /** From 0 to 1; null when no order was decided in the last hour. */
  readonly successRate1h: number | null;
};

/** A provider's outcomes in the last hour. */
export type HourCounts = {
  readonly succeeded: number;
  readonly declined: number;
  readonly pending: number;
  /** Requests without an answer. */
  readonly unheard: number;
  /** Requests that failed through a fault on our side. They count in no rate. */
  readonly ours: number;
  /** Average response time; null when nothing was sent. */
  readonly averageMilliseconds: number | null;
};

/** Outcomes of the last hour by name and minute in this process. Names are operators or providers. */
export type Health = {
  readonly note: (name: string, outcome: Outcome, milliseconds: number, now: number) => void;
  readonly of: (name: string, now: number) => OperatorHealth;
  readonly counts: (name: string, now: number) => HourCounts;
};

const MINUTE = 60_000;
const HOUR_MINUTES = 60;
const RECENT_MINUTES = 5;
const ENOUGH = 5;
const SLOW_MILLISECONDS = 5000;
const SLOW_SHARE = 0.2;

type Bucket = { minute: number; succeeded: number; declined: number; pending: number; unheard: number; ours: number; milliseconds: number };
type Sum = Omit<Bucket, "minute">;

export function createHealth(): Health {
  const byName = new Map<string, Bucket[]>();
  return {
    note: (name, outcome, milliseconds, now) => {
      const { kind } = outcome;
      const bucket = bucketOf(byName, name, Math.floor(now / MINUTE));
      if ("fault" in outcome && outcome.fault !== undefined) {
        bucket.ours++;
        return;
      }
      if (kind === "succeeded" || kind === "declined" || kind === "pending") bucket[kind]++;
      else bucket.unheard++;
      bucket.milliseconds += milliseconds;
    },
    of: (name, now) => {
      const buckets = byName.get(name) ?? [];
      const minute = Math.floor(now / MINUTE);
      return { status: statusOf(sum(buckets, minute - RECENT_MINUTES)), successRate1h: rateOf(sum(buckets, minute - HOUR_MINUTES)) };
    },
    counts: (name, now) => {
      const { milliseconds, ...counts } = sum(byName.get(name) ?? [], Math.floor(now / MINUTE) - HOUR_MINUTES);
      const all = counts.succeeded + counts.declined + counts.pending + counts.unheard;
      return { ...counts, averageMilliseconds: all === 0 ? null : Math.round(milliseconds / all) };
    },
  };
}

// A ring of one bucket a minute for an hour. A bucket is reset when its minute comes round again.
function bucketOf(byName: Map<string, Bucket[]>, name: string, minute: number): Bucket {
  const ring = byName.get(name) ?? [];
  byName.set(name, ring);
  const place = minute % HOUR_MINUTES;
  const there = ring[place];
  if (there?.minute === minute) return there;
  const fresh = { minute, ...empty() };
  ring[place] = fresh;
  return fresh;
}

function empty(): Sum {
  return { succeeded: 0, declined: 0, pending: 0, unheard: 0, ours: 0, milliseconds: 0 };
}

function sum(buckets: readonly (Bucket | undefined)[], after: number): Sum {
  const total = empty();
  for (const bucket of buckets) {
    if (!bucket || bucket.minute <= after) continue;
    total.succeeded += bucket.succeeded;
    total.declined += bucket.declined;
    total.pending += bucket.pending;
    total.unheard += bucket.unheard;
    total.ours += bucket.ours;
    total.milliseconds += bucket.milliseconds;
  }
  return total;
}

function statusOf(recent: Sum): OperatorHealth["status"] {
  const heard = recent.succeeded + recent.declined + recent.pending;
  const all = heard + recent.unheard;
  if (all < ENOUGH) return "up";
  if (heard === 0) return "down";
  return recent.unheard / all > SLOW_SHARE || recent.milliseconds / all > SLOW_MILLISECONDS ? "slow" : "up";
}

function rateOf(hour: Sum): number | null {
  const decided = hour.succeeded + hour.declined + hour.unheard;
  return decided === 0 ? null : Math.round((hour.succeeded / decided) * 10_000) / 10_000;
}
