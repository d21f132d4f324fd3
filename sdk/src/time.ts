import { AbortedError } from "./errors.js";

/** Where the SDK's time comes from; tests give one that they move. */
export type Clock = {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Runs something later, once; what it returns takes that back. */
  readonly after: (milliseconds: number, run: () => void) => () => void;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Unix time in whole seconds. */
export function seconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}

export async function sleep(clock: Clock, milliseconds: number, what: string, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) throw new AbortedError(what);
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      takeBack();
      reject(new AbortedError(what));
    };
    const takeBack = clock.after(milliseconds, () => {
      signal?.removeEventListener("abort", abort);
      resolve();
    });
    signal?.addEventListener("abort", abort, { once: true });
  });
}

const FIRST_PAUSE_MILLISECONDS = 500;
const LONGEST_PAUSE_MILLISECONDS = 8_000;

/** Doubles, and is drawn from its upper half so that many clients do not come back together. `chance` is 0 up to 1. */
export function backoffMilliseconds(retry: number, chance: number): number {
  const whole = Math.min(LONGEST_PAUSE_MILLISECONDS, FIRST_PAUSE_MILLISECONDS * 2 ** (retry - 1));
  return Math.round(whole / 2 + (whole / 2) * chance);
}

/** Retry-After in either of its forms; null when there is none that can be read. */
export function retryAfterSeconds(header: string | null, nowMilliseconds: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  // A date begins with its day's name; Date.parse alone would take a fraction for a month.
  const at = /^[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMilliseconds) / 1000));
}
