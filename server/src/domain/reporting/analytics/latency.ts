/** Bounds of the time that orders take to become final. A bucket is the position of a time among them. */
export const LATENCY_BOUNDS_MILLISECONDS = [100, 250, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 120_000, 600_000] as const;

export const LATENCY_BUCKETS = LATENCY_BOUNDS_MILLISECONDS.length + 1;

/** The time within which this share of the orders became final, interpolated inside its bucket; null without orders. */
export function percentile(buckets: readonly number[], share: number): number | null {
  const total = buckets.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let before = 0;
  for (const [place, count] of buckets.entries()) {
    if (count > 0 && before + count >= total * share) {
      const from = place === 0 ? 0 : (LATENCY_BOUNDS_MILLISECONDS[place - 1] ?? 0);
      // Nothing is known about the times beyond the last bound.
      const to = LATENCY_BOUNDS_MILLISECONDS[place] ?? from;
      return Math.round(from + ((to - from) * (total * share - before)) / count);
    }
    before += count;
  }
  return null;
}
