import { createHash } from "node:crypto";
import { FUTURE_MILLISECONDS } from "../../../platform/core/clock.ts";
import { parseAddress } from "../../../platform/network/address.ts";
import type { AuthContext, Browser } from "../context.ts";
import { knownDevice } from "./devices.ts";

const WINDOW_MILLISECONDS = 15 * 60_000;

const LIMITS = {
  /** Wrong passwords for one email address, known or not, from one network. */
  pair: 5,
  /** Wrong passwords for one email address from all networks, against distributed guessing. */
  email: 30,
  /** Wrong passwords, codes and passkeys from one address. */
  address: 30,
  /** Wrong passwords for one email address, and wrong passkeys, from a known browser. */
  device: 10,
  /** Wrong codes and proofs of one user; those of a known browser and of a signed-in session count separately. */
  user: 5,
  /** Password reset mails to one email address. */
  reset: 3,
  /** Invitation mails to one email address, from all senders. */
  invitation: 5,
  /** Database writes that unauthenticated requests can cause. */
  stranger: 120,
  /** Logout tokens from one address: an identity provider ends the sessions of many people. */
  logout: 3_000,
} as const;

export type Counted = { readonly scope: keyof typeof LIMITS; readonly key: string };
export type Throttled = { readonly kind: "throttled"; readonly retryAfterSeconds: number };

/**
 * Counts an attempt before it is made, with one statement per count, so that of concurrent attempts no more than the limit
 * pass, in whichever process. Returns when to retry once a limit is reached.
 */
export async function countAttempts(ctx: AuthContext, counted: readonly Counted[]): Promise<Throttled | null> {
  const now = ctx.clock.now();
  // A count that began in the future predates a clock that was set back; its window starts again.
  const [oldest, newest] = [new Date(now - WINDOW_MILLISECONDS), new Date(now + FUTURE_MILLISECONDS)];
  let waitUntil = 0;
  for (const one of counted) {
    const [row] = await ctx.sql<{ count: number; window_started_at: Date }[]>`
      insert into sign_in_attempts (scope, key, count, window_started_at) values (${scopeOf(ctx, one)}, ${keyOf(one)}, 1, ${new Date(now)})
      on conflict (scope, key) do update set
        count = case when sign_in_attempts.window_started_at <= ${oldest} then 1 else sign_in_attempts.count + 1 end,
        window_started_at = case when sign_in_attempts.window_started_at > ${oldest} and sign_in_attempts.window_started_at <= ${newest} then sign_in_attempts.window_started_at else excluded.window_started_at end
      returning count, window_started_at`;
    if (row && row.count > LIMITS[one.scope]) waitUntil = Math.max(waitUntil, row.window_started_at.getTime() + WINDOW_MILLISECONDS);
  }
  return waitUntil === 0 ? null : { kind: "throttled", retryAfterSeconds: Math.max(1, Math.ceil((waitUntil - now) / 1000)) };
}

/** Makes the attempt unless too many have failed before. A successful attempt is not counted. */
export async function throttling<Result extends { readonly kind: string }>(
  ctx: AuthContext,
  counted: readonly Counted[],
  attempt: () => Promise<Result>,
): Promise<Result | Throttled> {
  const throttled = await countAttempts(ctx, counted);
  if (throttled) return throttled;
  const result = await attempt();
  if (result.kind === "done") await forgiveAttempts(ctx, counted);
  return result;
}

/** The counts of a known browser; null when it is not known, or too many of its attempts have failed. */
async function knownBrowserAttempts(
  ctx: AuthContext,
  browser: Browser,
  who: { readonly email: string } | null,
): Promise<readonly Counted[] | null> {
  const device = await knownDevice(ctx, browser, who);
  if (device === null) return null;
  const own = [{ scope: "device", key: `${device} ${who?.email ?? ""}` }] as const;
  return (await countAttempts(ctx, own)) === null ? own : null;
}

/**
 * For a sign-in. A known browser has its own count, so that other people's failed attempts do not lock its owner out. All
 * others count by email address and network, by email address, and by network.
 */
export async function throttlingSignIn<Result extends { readonly kind: string }>(
  ctx: AuthContext,
  browser: Browser,
  who: { readonly email: string } | null,
  attempt: () => Promise<Result>,
): Promise<Result | Throttled> {
  const own = await knownBrowserAttempts(ctx, browser, who);
  if (own === null) return await throttling(ctx, anonymousAttempts(browser, who), attempt);
  const result = await attempt();
  if (result.kind === "done") await forgiveAttempts(ctx, own);
  return result;
}

function anonymousAttempts({ address }: Browser, who: { readonly email: string } | null): readonly Counted[] {
  const from = { scope: "address", key: address } as const;
  if (who === null) return [from];
  return [{ scope: "pair", key: `${who.email} ${networkOf(address)}` }, { scope: "email", key: who.email }, from];
}

/** The counts of a user who has not passed the second factor yet. Somebody else's wrong codes do not lock the owner out of a known browser. */
export async function secondFactorAttempts(ctx: AuthContext, userId: string, browser: Browser): Promise<readonly Counted[]> {
  const device = await knownDevice(ctx, browser, { userId });
  if (device !== null) return [{ scope: "user", key: `${userId} ${device}` }];
  return [
    { scope: "user", key: userId },
    { scope: "address", key: browser.address },
  ];
}

/** The count of a signed-in session. Wrong codes elsewhere do not keep its user from proving their identity. */
export function sessionAttempts(session: { readonly sessionId: string }): readonly Counted[] {
  return [{ scope: "user", key: session.sessionId }];
}

/** Removes a successful attempt from the counts, and resets the counts that identify the user. */
async function forgiveAttempts(ctx: AuthContext, counted: readonly Counted[]): Promise<void> {
  for (const one of counted) {
    if (one.scope === "address")
      await ctx.sql`update sign_in_attempts set count = count - 1 where scope = ${scopeOf(ctx, one)} and key = ${keyOf(one)} and count > 0`;
    else await ctx.sql`delete from sign_in_attempts where scope = ${scopeOf(ctx, one)} and key = ${keyOf(one)}`;
  }
}

export async function sweepAttempts(ctx: AuthContext): Promise<void> {
  await ctx.sql`delete from sign_in_attempts where window_started_at <= ${new Date(ctx.clock.now() - WINDOW_MILLISECONDS)}`;
}

function scopeOf(ctx: AuthContext, one: Counted): string {
  return `${ctx.realm}/${one.scope}`;
}

function keyOf({ scope, key }: Counted): Buffer {
  const network = scope === "address" || scope === "stranger" || scope === "logout" ? networkOf(key) : key;
  return createHash("sha256").update(network).digest();
}

// The owner of one IPv6 address has its whole /64 network.
function networkOf(text: string): string {
  const address = parseAddress(text);
  if (address?.kind() !== "ipv6") return text;
  return address.toByteArray().slice(0, 8).join(".");
}
