/** The result of the last run of a periodic job in this process. */
export type JobStatus = {
  readonly name: string;
  readonly everyMilliseconds: number;
  /** Milliseconds since 1970 by the machine's clock; null before the first run has finished. */
  readonly ranAt: number | null;
  readonly tookMilliseconds: number | null;
  readonly succeededAt: number | null;
  /** Consecutive failures. */
  readonly failures: number;
  /** The error of the last run; null if it succeeded. */
  readonly error: string | null;
};

export type LedgerStatus = { readonly violations: number; readonly checkedAt: number | null };

export type Run = { readonly tookMilliseconds: number; readonly error: unknown };

/** Records the state of this process's jobs for the system page. */
export type JobStatuses = {
  readonly expect: (name: string, everyMilliseconds: number) => void;
  readonly ran: (name: string, run: Run) => void;
  readonly jobs: () => readonly JobStatus[];
  /** Records the number of violations that the continuous ledger check of a cell has found so far. */
  readonly checkedLedger: (violations: number, cell?: number) => void;
  /** What the check has found in a cell; without one, in all. */
  readonly ledger: (cell?: number) => LedgerStatus;
};

const MAX_ERROR_CHARACTERS = 300;

export function createJobStatuses(): JobStatuses {
  const jobs = new Map<string, JobStatus>();
  const ledgers = new Map<number, LedgerStatus>();
  const blank = { ranAt: null, tookMilliseconds: null, succeededAt: null, failures: 0, error: null };
  return {
    expect: (name, everyMilliseconds) => jobs.set(name, { name, everyMilliseconds, ...blank }),
    ran: (name, { tookMilliseconds, error }) => {
      const before = jobs.get(name) ?? { name, everyMilliseconds: 0, ...blank };
      const ranAt = Date.now();
      const ended = { ...before, ranAt, tookMilliseconds: Math.round(tookMilliseconds) };
      jobs.set(
        name,
        error === null
          ? { ...ended, succeededAt: ranAt, failures: 0, error: null }
          : { ...ended, failures: before.failures + 1, error: errorText(error) },
      );
    },
    jobs: () => [...jobs.values()],
    checkedLedger: (violations, cell = 0) => void ledgers.set(cell, { violations, checkedAt: Date.now() }),
    ledger: (cell) => (cell === undefined ? sumOf([...ledgers.values()]) : (ledgers.get(cell) ?? NOT_CHECKED)),
  };
}

const NOT_CHECKED: LedgerStatus = { violations: 0, checkedAt: null };

/** All violations, as of the check that is the longest ago. */
function sumOf(ledgers: readonly LedgerStatus[]): LedgerStatus {
  if (ledgers.length === 0) return NOT_CHECKED;
  const times = ledgers.flatMap(({ checkedAt }) => checkedAt ?? []);
  return { violations: ledgers.reduce((sum, one) => sum + one.violations, 0), checkedAt: Math.min(...times) };
}

function errorText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // PostgreSQL does not store NUL in text.
  return text.replaceAll("\0", "").slice(0, MAX_ERROR_CHARACTERS);
}
