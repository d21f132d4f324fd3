import type { Sql } from "../../../platform/db/connection.ts";
import type { BrowseFilter } from "./browse-filter.ts";

const MOST = 200;
const MILLISECONDS = 60_000;

/** Remembers filters of a database for a minute after their last use, whatever their page; the least recent ones are dropped. */
export type RecentFilters = {
  readonly add: (sql: Sql, filter: BrowseFilter) => void;
  readonly has: (sql: Sql, filter: BrowseFilter) => boolean;
};

export function createRecentFilters(now = () => performance.now()): RecentFilters {
  const databases = new WeakMap<Sql, Map<string, number>>();
  const add = (sql: Sql, filter: BrowseFilter) => {
    const filters = databases.get(sql) ?? new Map<string, number>();
    databases.set(sql, filters);
    filters.delete(keyOf(filter));
    filters.set(keyOf(filter), now());
    for (const key of filters.keys()) if (filters.size > MOST) filters.delete(key);
  };
  const has = (sql: Sql, filter: BrowseFilter) => {
    const usedAt = databases.get(sql)?.get(keyOf(filter));
    if (usedAt === undefined || now() - usedAt > MILLISECONDS) return false;
    add(sql, filter);
    return true;
  };
  return { add, has };
}

function keyOf(filter: BrowseFilter): string {
  return JSON.stringify({ ...filter, searchesParts: null, before: null, limit: null });
}
