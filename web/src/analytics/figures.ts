import { analyticsText } from "../messages/en/analytics.ts";
import { fill } from "../messages/fill.ts";
import type { Schemas } from "../portal-api.ts";
import { indiaDay } from "../ui/format.ts";

export type Analytics = Schemas["Analytics"];
export type Line = Analytics["lines"][number];

/** "81 ms", "1.2 s", "2.5 min". */
export function latencyText(milliseconds: number | null): string {
  if (milliseconds === null) return "–";
  if (milliseconds < 1_000) return fill(analyticsText.milliseconds, { milliseconds });
  return milliseconds < 60_000
    ? `${(milliseconds / 1_000).toFixed(1)} s`
    : fill(analyticsText.minutes, { value: (milliseconds / 60_000).toFixed(1) });
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
  return fill(analyticsText.points, { value: points > 0 ? "+" : points < 0 ? "−" : "±", value2: Math.abs(points).toFixed(1) });
}

export type Period = { readonly label: string; readonly from: string; readonly to: string };

const DAY_MILLISECONDS = 86_400_000;

/** The periods that one click chooses, as days in India. */
export function periodsAt(now: number): readonly Period[] {
  const today = indiaDay(now);
  const yesterday = indiaDay(now, 1);
  const first = `${today.slice(0, 8)}01`;
  const lastOfPrevious = new Date(Date.parse(first) - DAY_MILLISECONDS).toISOString().slice(0, 10);
  return [
    { label: analyticsText.today, from: today, to: today },
    { label: analyticsText.yesterday, from: yesterday, to: yesterday },
    { label: analyticsText.last7Days, from: indiaDay(now, 6), to: today },
    { label: analyticsText.last30Days, from: indiaDay(now, 29), to: today },
    { label: analyticsText.thisMonth, from: first, to: today },
    { label: analyticsText.lastMonth, from: `${lastOfPrevious.slice(0, 8)}01`, to: lastOfPrevious },
  ];
}
