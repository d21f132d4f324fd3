/** Times in milliseconds, the end exclusive. */
export type TimeRange = { readonly begin: number; readonly end: number };

/** What a look at a range has found. */
export type RangeResult<Row> = {
  /** How many had to be looked at; more than MAX_CANDIDATES are too many, and then nothing else counts. */
  readonly candidates: number;
  /** Newest first. */
  readonly rows: readonly Row[];
};

export type BackwardSearch<Row> = {
  /** All there is. */
  readonly whole: TimeRange;
  /** How long a range is, at the end, that is not too long. */
  readonly usual: number;
  /** Most likely there is little of it: all time is looked at first. */
  readonly seldom: boolean;
  readonly enough: number;
  readonly look: (range: TimeRange, most: number) => Promise<RangeResult<Row>>;
};

export type SearchResult<Row> = {
  /** Newest first; at most as many as were enough. */
  readonly rows: readonly Row[];
  /** Everything from this time on was looked at; null when that is all there is. */
  readonly reached: number | null;
};

/** A range with more than these to look at is too long. */
export const MAX_CANDIDATES = 5_000;
const NARROWING_FACTOR = 4;
const MAX_SEARCH_MILLISECONDS = 100;

/**
 * Looks from the newest back, one range of time after the other: the next is longer when this one was quick, and one with
 * too much in it is looked at in parts. Stops when there are enough, or when patience is at its end.
 */
export async function searchBackwards<Row>(search: BackwardSearch<Row>): Promise<SearchResult<Row>> {
  const { whole, enough, look } = search;
  const all = search.seldom ? await look(whole, enough) : null;
  if (all !== null && all.candidates <= MAX_CANDIDATES) return { rows: all.rows, reached: null };
  const started = performance.now();
  const rows: Row[] = [];
  for (let range = endOf(whole, search.usual); ; ) {
    const began = performance.now();
    const seen = await look(range, enough - rows.length);
    const now = performance.now();
    if (seen.candidates > MAX_CANDIDATES && lengthOf(range) > 1) {
      range = endOf(range, Math.ceil(lengthOf(range) / NARROWING_FACTOR));
      continue;
    }
    rows.push(...seen.rows);
    if (range.begin <= whole.begin) return { rows, reached: null };
    if (rows.length >= enough || now - started > MAX_SEARCH_MILLISECONDS) return { rows, reached: range.begin };
    range = endOf({ begin: whole.begin, end: range.begin }, lengthOf(range) * widerAfter(seen.candidates, now - began));
  }
}

function lengthOf({ begin, end }: TimeRange): number {
  return end - begin;
}

function endOf({ begin, end }: TimeRange, length: number): TimeRange {
  return { begin: Math.max(begin, end - length), end };
}

function widerAfter(candidates: number, milliseconds: number): number {
  if (candidates === 0) return 16;
  if (milliseconds < 10) return 4;
  return milliseconds < 30 ? 2 : 1;
}
