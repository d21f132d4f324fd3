/** Times in milliseconds, the end exclusive. */
export type Stretch = { readonly begin: number; readonly end: number };

/** What a look at a stretch has found. */
export type Seen<Row> = {
  /** How many had to be looked at; more than MOST_AT_ONCE are too many, and then nothing else counts. */
  readonly candidates: number;
  /** Newest first. */
  readonly rows: readonly Row[];
};

export type LookBack<Row> = {
  /** All there is. */
  readonly whole: Stretch;
  /** How long a stretch is, at the end, that is not too long. */
  readonly usual: number;
  /** Most likely there is little of it: all time is looked at first. */
  readonly seldom: boolean;
  readonly enough: number;
  readonly look: (stretch: Stretch, most: number) => Promise<Seen<Row>>;
};

export type Looked<Row> = {
  /** Newest first; at most as many as were enough. */
  readonly rows: readonly Row[];
  /** Everything from this time on was looked at; null when that is all there is. */
  readonly reached: number | null;
};

/** A stretch with more than these to look at is too long. */
export const MOST_AT_ONCE = 5_000;
const NARROWER = 4;
const PATIENCE_MILLISECONDS = 100;

/**
 * Looks from the newest back, one stretch of time after the other: the next is longer when this one was quick, and one with
 * too much in it is looked at in parts. Stops when there are enough, or when patience is at its end.
 */
export async function lookBack<Row>(search: LookBack<Row>): Promise<Looked<Row>> {
  const { whole, enough, look } = search;
  const all = search.seldom ? await look(whole, enough) : null;
  if (all !== null && all.candidates <= MOST_AT_ONCE) return { rows: all.rows, reached: null };
  const started = performance.now();
  const rows: Row[] = [];
  for (let stretch = endOf(whole, search.usual); ; ) {
    const began = performance.now();
    const seen = await look(stretch, enough - rows.length);
    const now = performance.now();
    if (seen.candidates > MOST_AT_ONCE && lengthOf(stretch) > 1) {
      stretch = endOf(stretch, Math.ceil(lengthOf(stretch) / NARROWER));
      continue;
    }
    rows.push(...seen.rows);
    if (stretch.begin <= whole.begin) return { rows, reached: null };
    if (rows.length >= enough || now - started > PATIENCE_MILLISECONDS) return { rows, reached: stretch.begin };
    stretch = endOf({ begin: whole.begin, end: stretch.begin }, lengthOf(stretch) * widerAfter(seen.candidates, now - began));
  }
}

function lengthOf({ begin, end }: Stretch): number {
  return end - begin;
}

function endOf({ begin, end }: Stretch, length: number): Stretch {
  return { begin: Math.max(begin, end - length), end };
}

function widerAfter(candidates: number, milliseconds: number): number {
  if (candidates === 0) return 16;
  if (milliseconds < 10) return 4;
  return milliseconds < 30 ? 2 : 1;
}
