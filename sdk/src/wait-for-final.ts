import { type Calls, isPassing } from "./calls.js";
import type { CorprailError } from "./errors.js";
import { type CallOptions, readCount } from "./settings.js";
import { sleep } from "./time.js";

export type WaitOptions = CallOptions & {
  /** Spec, Endpoints, rule 4: about 30 seconds after the reply. 30 000 unless set. */
  readonly firstCheckAfterMs?: number | undefined;
  /** Spec, Endpoints, rule 4: then once a minute. 60 000 unless set. */
  readonly checkEveryMs?: number | undefined;
  /** Then the last result is returned though it is not final. 15 minutes unless set. */
  readonly giveUpAfterMs?: number | undefined;
};

type Known = { readonly final: boolean };

/**
 * Asks until the result is final or the time is up, at least once. Failures that pass are waited out;
 * what ends it otherwise is thrown. `first` is what is known so far.
 */
export async function waitForFinal<Result extends Known>(
  calls: Calls,
  what: string,
  ask: (last: Result | null) => Promise<Result>,
  options: WaitOptions,
  first: Result | null,
): Promise<Result> {
  const { clock } = calls;
  const pace = readPace(options);
  const end = clock.now() + pace.giveUpAfter;
  let wait = pace.firstCheckAfter;
  let last = first;
  for (;;) {
    // The last check falls on the end, so that a short time is not spent without one.
    await sleep(clock, Math.max(0, Math.min(wait, end - clock.now())), what, options.signal);
    const asked = await attempt(ask, last);
    if (asked.error === null) last = asked.result;
    if (last?.final) return last;
    if (clock.now() >= end) return orThrow(last, asked.error);
    wait = Math.max(pace.checkEvery, (asked.error?.retryAfterSeconds ?? 0) * 1000);
  }
}

function readPace(options: WaitOptions) {
  return {
    firstCheckAfter: readCount("firstCheckAfterMs", options.firstCheckAfterMs ?? 30_000, 0),
    checkEvery: readCount("checkEveryMs", options.checkEveryMs ?? 60_000, 1),
    giveUpAfter: readCount("giveUpAfterMs", options.giveUpAfterMs ?? 15 * 60_000, 0),
  };
}

function orThrow<Result>(last: Result | null, error: CorprailError | null): Result {
  if (last !== null) return last;
  throw error;
}

type Asked<Result> = { readonly error: null; readonly result: Result } | { readonly error: CorprailError; readonly result: null };

async function attempt<Result>(ask: (last: Result | null) => Promise<Result>, last: Result | null): Promise<Asked<Result>> {
  try {
    return { error: null, result: await ask(last) };
  } catch (error) {
    if (isPassing(error)) return { error, result: null };
    throw error;
  }
}
