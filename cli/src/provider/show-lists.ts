import type { ListState } from "@corprail/server/domain/providers/lists/store";
import { indiaDateTime } from "@corprail/server/platform/core/india-time";
import { table } from "../shared/table.ts";

export function listView({ provider, name, key, items, refreshedAt, checkedAt, failure, failingSince }: ListState) {
  return {
    ...{ provider, name, key, items, failure },
    refreshed_at: timeOf(refreshedAt),
    checked_at: timeOf(checkedAt),
    failing_since: timeOf(failingSince),
  };
}

/** Lists of providers with their age. */
export function listTable(lists: readonly ListState[], now: number): string {
  const cells = lists.map((list) => [
    list.provider,
    [list.name, list.key].filter((part) => part !== "").join(" "),
    String(list.items),
    ageText(list, now),
    list.failure ?? "",
  ]);
  return table(["PROVIDER", "LIST", "ENTRIES", "AGE", "FAILURE"], cells);
}

export function ageText({ refreshedAt }: ListState, now: number): string {
  if (refreshedAt === null) return "never read";
  const minutes = Math.max(0, Math.floor((now - refreshedAt.getTime()) / 60_000));
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}

function timeOf(at: Date | null): string | null {
  return at && indiaDateTime(at.getTime());
}
