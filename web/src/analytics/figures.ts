import { analyticsText } from "../messages/en/analytics.ts";
import { fill } from "../messages/fill.ts";
import type { Schemas } from "../portal-api.ts";

export type Analytics = Schemas["Analytics"];
export type Line = Analytics["lines"][number];

/** "81 ms", "1.2 s", "2.5 min". */
export function latencyText(milliseconds: number | null): string {
  if (milliseconds === null) return "–";
  if (milliseconds < 1_000) return fill(analyticsText.milliseconds, { milliseconds });
  return milliseconds < 60_000
    ? `${(milliseconds / 1_000).toFixed(1)} s`
    : fill(analyticsText.minutes, { minutes: (milliseconds / 60_000).toFixed(1) });
}

export function rateText(rate: number | null): string {
  return rate === null ? "–" : `${(rate * 100).toFixed(1)} %`;
}

/** The change in percent since the period before: "+12 %". Null without a period before to compare with. */
export function changeText(current: number, previous: number): string | null {
  if (previous === 0) return null;
  const percent = Math.round(((current - previous) / previous) * 100);
  return `${percent > 0 ? "+" : percent < 0 ? "−" : "±"}${Math.abs(percent)} %`;
}

/** The change of a rate in percentage points: "−1.3 points". */
export function pointsText(current: number | null, previous: number | null): string | null {
  if (current === null || previous === null) return null;
  const points = Math.round((current - previous) * 1_000) / 10;
  return fill(analyticsText.points, { sign: points > 0 ? "+" : points < 0 ? "−" : "±", points: Math.abs(points).toFixed(1) });
}

type Point = Pick<Analytics["points"][number], "at" | "success" | "failed" | "reversed" | "pending" | "median_ms" | "p95_ms">;
type Span = Pick<Analytics, "from" | "to" | "interval" | "counted_until"> & { readonly points: readonly Point[] };

const STEP_MILLISECONDS = { hour: 3_600_000, day: 86_400_000 } as const;

/** The points of every hour or day of the period. The service leaves out those without transactions. */
export function everyPoint({ from, to, interval, points, counted_until: counted }: Span): readonly Point[] {
  const length = interval === "hour" ? 13 : 10;
  const found = new Map(points.map((point) => [point.at.slice(0, length), point]));
  const step = STEP_MILLISECONDS[interval];
  // Times without a zone: only their differences count.
  const end = Math.min(
    Date.parse(to) + STEP_MILLISECONDS.day,
    counted === null ? Infinity : Date.parse(`${counted.replace(" ", "T")}Z`) + 1,
  );
  const filled: Point[] = [];
  for (let at = Date.parse(from); at < end; at += step) {
    const text = new Date(at).toISOString().slice(0, 19).replace("T", " ");
    filled.push(found.get(text.slice(0, length)) ?? { ...NOTHING, at: text });
  }
  return filled;
}

const NOTHING = { success: 0, failed: 0, reversed: 0, pending: 0, median_ms: null, p95_ms: null };
