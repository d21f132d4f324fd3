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

export type Run = { readonly tookMilliseconds: number; readonly error: unknown };

/** Records the state of this process's jobs for the system page. */
export type JobStatuses = {
  readonly expect: (name: string, everyMilliseconds: number) => void;
  readonly ran: (name: string, run: Run) => void;
  readonly jobs: () => readonly JobStatus[];
  /** Records the number of violations that the continuous ledger check has found so far. */
  readonly checkedLedger: (violations: number) => void;
  readonly ledger: () => { readonly violations: number; readonly checkedAt: number | null };
};

const MAX_ERROR_CHARACTERS = 300;

export function createJobStatuses(): JobStatuses {
  const jobs = new Map<string, JobStatus>();
  let ledger: ReturnType<JobStatuses["ledger"]> = { violations: 0, checkedAt: null };
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
    checkedLedger: (violations) => {
      ledger = { violations, checkedAt: Date.now() };
    },
    ledger: () => ledger,
  };
}

function errorText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // PostgreSQL does not store NUL in text.
  return text.replaceAll("\0", "").slice(0, MAX_ERROR_CHARACTERS);
}
