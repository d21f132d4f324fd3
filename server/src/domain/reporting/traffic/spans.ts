/** Bounds of the time that orders take to become final. A span is the index of a time among these bounds. */
export const SPAN_MILLISECONDS = [
  5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000,
] as const;

/** The median time, estimated from the spans; null when there are no orders. */
export function medianOf(ordersBySpan: ReadonlyMap<number, number>): number | null {
  const spans = [...ordersBySpan].filter(([span, orders]) => span >= 0 && orders > 0).sort(([one], [other]) => one - other);
  const half = spans.reduce((sum, [, orders]) => sum + orders, 0) / 2;
  let below = 0;
  for (const [span, orders] of spans) {
    if (below + orders >= half) return within(span, (half - below) / orders);
    below += orders;
  }
  return null;
}

function within(span: number, share: number): number {
  const from = SPAN_MILLISECONDS[span - 1] ?? 0;
  const to = SPAN_MILLISECONDS[span] ?? from;
  return Math.round(from + (to - from) * share);
}
