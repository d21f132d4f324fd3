/** A range of times in milliseconds; the end is exclusive. */
export type TimeRange = { readonly begin: number; readonly end: number };

/** The result of reading one range. */
export type RangeResult<Row> = {
  /** How many rows had to be read. If there are more than MAX_CANDIDATES, the other fields are ignored. */
  readonly candidates: number;
  /** Newest first. */
  readonly rows: readonly Row[];
};

export type BackwardSearch<Row> = {
  /** The range that contains all rows. */
  readonly whole: TimeRange;
  /** The length of the first range. */
  readonly usual: number;
  /** Matches are probably rare: if the newest range does not have enough of them, the whole range is tried. */
  readonly seldom: boolean;
  readonly enough: number;
  /** The time, by `performance.now()`, after which the search reads no further range. */
  readonly deadline: number;
  readonly look: (range: TimeRange, most: number) => Promise<RangeResult<Row>>;
};

export type SearchResult<Row> = {
  /** Newest first; at most `enough` rows. */
  readonly rows: readonly Row[];
  /** The search covers everything from this time on; null if it covers the whole range. */
  readonly reached: number | null;
};

/** A page waits for its search about this long; it can be continued. */
export const SEARCH_MILLISECONDS = 60;
/** A range with more rows than this is divided. */
export const MAX_CANDIDATES = 5_000;
const NARROWING_FACTOR = 4;
// A range whose rows were read without enough matches is followed by one that is longer by this factor.
const NEXT_FACTOR = 16;

/**
 * Searches from the newest row backwards, one time range after the other. After a fast read the next range is longer; a
 * range with too many rows is divided. Stops when there are enough rows or the deadline is reached.
 */
export async function searchBackwards<Row>(search: BackwardSearch<Row>): Promise<SearchResult<Row>> {
  const { whole, enough, deadline, look } = search;
  const first = endOf(whole, search.usual);
  const quick = search.seldom ? ((await searchNewest(search, first)) ?? (await searchWhole(search))) : null;
  if (quick !== null) return quick;
  const rows: Row[] = [];
  for (let range = search.seldom ? endOf(whole, search.usual * NEXT_FACTOR) : first; ; ) {
    const began = performance.now();
    const seen = await look(range, enough - rows.length);
    const now = performance.now();
    if (seen.candidates > MAX_CANDIDATES && lengthOf(range) > 1) {
      range = endOf(range, Math.ceil(lengthOf(range) / NARROWING_FACTOR));
      continue;
    }
    rows.push(...seen.rows);
    if (range.begin <= whole.begin) return { rows, reached: null };
    if (rows.length >= enough || now >= deadline) return { rows, reached: range.begin };
    const factor = Math.min(widerAfter(seen.candidates, now - began), fittingBefore(deadline - now, now - began));
    range = endOf({ begin: whole.begin, end: range.begin }, Math.ceil(lengthOf(range) * factor));
  }
}

/** What occurs often is found among the newest rows, however many there are. Null if they do not have enough matches. */
async function searchNewest<Row>({ whole, enough, look }: BackwardSearch<Row>, range: TimeRange): Promise<SearchResult<Row> | null> {
  const { candidates, rows } = await look(range, enough);
  if (candidates > MAX_CANDIDATES) return null;
  if (range.begin <= whole.begin) return { rows, reached: null };
  return rows.length >= enough ? { rows, reached: range.begin } : null;
}

/** Null if there are too many matches to read them all. */
async function searchWhole<Row>({ whole, enough, look }: BackwardSearch<Row>): Promise<SearchResult<Row> | null> {
  const { candidates, rows } = await look(whole, enough);
  return candidates <= MAX_CANDIDATES ? { rows, reached: null } : null;
}

function lengthOf({ begin, end }: TimeRange): number {
  return end - begin;
}

function endOf({ begin, end }: TimeRange, length: number): TimeRange {
  return { begin: Math.max(begin, end - length), end };
}

function widerAfter(candidates: number, milliseconds: number): number {
  if (candidates === 0) return NEXT_FACTOR;
  if (milliseconds < 10) return 4;
  return milliseconds < 30 ? 2 : 1;
}

/** How much longer the next range may be, if reading it takes as long for each millisecond as the last one. */
function fittingBefore(remaining: number, milliseconds: number): number {
  return Math.max(1 / NARROWING_FACTOR, remaining / Math.max(milliseconds, 1));
}
