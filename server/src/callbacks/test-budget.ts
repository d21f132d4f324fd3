import type { Clock } from "../kernel/clock.ts";

const MOST_TESTS = 10;
const WINDOW_MILLISECONDS = 60_000;
const MOST_ACCOUNTS = 1_000;

/** What is left to wait when an account has sent as many tests as it may. */
export type TooManyTests = { readonly kind: "too_many"; readonly retryAfterSeconds: number };

export const TOO_MANY_TESTS = `An account may send ${MOST_TESTS} test callbacks a minute. Wait a moment, then try again.`;

/**
 * Bounds the test callbacks of an account, in this process: each is a call to an address that the client chose, made at
 * once. Null when one more may be sent.
 */
export function openTestBudget(clock: Clock): (accountId: string) => TooManyTests | null {
  const sent = new Map<string, readonly number[]>();
  return (accountId) => {
    const now = clock.now();
    const isRecent = (at: number) => at <= now && at > now - WINDOW_MILLISECONDS;
    if (sent.size >= MOST_ACCOUNTS) for (const [other, times] of sent) if (!times.some(isRecent)) sent.delete(other);
    const recent = (sent.get(accountId) ?? []).filter(isRecent);
    const [oldest] = recent;
    if (oldest !== undefined && recent.length >= MOST_TESTS)
      return { kind: "too_many", retryAfterSeconds: Math.ceil((oldest + WINDOW_MILLISECONDS - now) / 1000) };
    sent.set(accountId, [...recent, now]);
    return null;
  };
}
