import { uiText } from "../../messages/en/ui.ts";
import { indiaDay } from "../formats/format.ts";

export type Period = { readonly label: string; readonly from: string; readonly to: string };

const DAY_MILLISECONDS = 86_400_000;

/** The day that is so many days after another one. */
export function dayAfter(day: string, days = 1): string {
  return new Date(Date.parse(day) + days * DAY_MILLISECONDS).toISOString().slice(0, 10);
}

/** The periods that one click chooses, as days in India. */
export function periodsAt(now: number): readonly Period[] {
  const today = indiaDay(now);
  const yesterday = indiaDay(now, 1);
  const first = `${today.slice(0, 8)}01`;
  const lastOfPrevious = dayAfter(first, -1);
  return [
    { label: uiText.today, from: today, to: today },
    { label: uiText.yesterday, from: yesterday, to: yesterday },
    { label: uiText.last7Days, from: indiaDay(now, 6), to: today },
    { label: uiText.last30Days, from: indiaDay(now, 29), to: today },
    { label: uiText.thisMonth, from: first, to: today },
    { label: uiText.lastMonth, from: `${lastOfPrevious.slice(0, 8)}01`, to: lastOfPrevious },
  ];
}
