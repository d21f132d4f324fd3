import { createHash } from "node:crypto";
import { FUTURE_MILLISECONDS } from "../../platform/core/clock.ts";
import { parseAddress } from "../../platform/network/address.ts";
import type { AuthContext, Browser } from "./context.ts";
import { knownDevice } from "./devices.ts";

const WINDOW_MILLISECONDS = 15 * 60_000;

const LIMITS = {
  /** Wrong passwords for one e-mail, known or not, from one network. */
  pair: 5,
  /** Wrong passwords for one e-mail from all networks together: bounds guessing that is spread over many. */
  email: 30,
  /** Wrong passwords, codes and passkeys from one address. */
  address: 30,
  /** Wrong passwords for one e-mail, and wrong passkeys, from a browser that is known. */
  device: 10,
  /** Wrong codes and wrong proofs of one user. */
  user: 5,
  /** Mails that one e-mail can be made to receive. */
  reset: 3,
  /** The same, of invitations, whoever sends them. */
  invitation: 5,
  /** Whatever strangers can make the service write down. */
  stranger: 120,
} as const;

export type Counted = { readonly scope: keyof typeof LIMITS; readonly key: string };
export type Throttled = { readonly kind: "throttled"; readonly retryAfterSeconds: number };

/**
 * Counts a try before it is made, in one statement a count: of many at once no more than the limit get through,
 * whichever process they reach. Answers when to come back once one of the counts is used up.
 */
export async function countTries(ctx: AuthContext, counted: readonly Counted[]): Promise<Throttled | null> {
  const now = ctx.clock.now();
  // A count that began in the future began before the clock was set back: its window begins anew.
  const [oldest, newest] = [new Date(now - WINDOW_MILLISECONDS), new Date(now + FUTURE_MILLISECONDS)];
  let waitUntil = 0;
  for (const one of counted) {
    const [row] = await ctx.sql<{ count: number; began_at: Date }[]>`
      insert into tries (scope, key, count, began_at) values (${scopeOf(ctx, one)}, ${keyOf(one)}, 1, ${new Date(now)})
      on conflict (scope, key) do update set
        count = case when tries.began_at <= ${oldest} then 1 else tries.count + 1 end,
        began_at = case when tries.began_at > ${oldest} and tries.began_at <= ${newest} then tries.began_at else excluded.began_at end
      returning count, began_at`;
    if (row && row.count > LIMITS[one.scope]) waitUntil = Math.max(waitUntil, row.began_at.getTime() + WINDOW_MILLISECONDS);
  }
  return waitUntil === 0 ? null : { kind: "throttled", retryAfterSeconds: Math.max(1, Math.ceil((waitUntil - now) / 1000)) };
}

/** Makes the attempt unless too many were wrong before it; a right one is not counted. */
export async function throttling<Result extends { readonly kind: string }>(
  ctx: AuthContext,
  counted: readonly Counted[],
  attempt: () => Promise<Result>,
): Promise<Result | Throttled> {
  const throttled = await countTries(ctx, counted);
  if (throttled) return throttled;
  const result = await attempt();
  if (result.kind === "done") await forgiveTries(ctx, counted);
  return result;
}

/** Wrong tries of whoever is at a browser that is known; null where it is not, or too many of them were wrong. */
async function ownTries(ctx: AuthContext, browser: Browser, who: { readonly email: string } | null): Promise<readonly Counted[] | null> {
  const device = await knownDevice(ctx, browser, who);
  if (device === null) return null;
  const own = [{ scope: "device", key: `${device} ${who?.email ?? ""}` }] as const;
  return (await countTries(ctx, own)) === null ? own : null;
}

/**
 * For a sign-in. A browser that is known counts by itself, so that nobody else's wrong tries keep its owner out; all others
 * count by e-mail and network, by e-mail and by network.
 */
export async function throttlingSignIn<Result extends { readonly kind: string }>(
  ctx: AuthContext,
  browser: Browser,
  who: { readonly email: string } | null,
  attempt: () => Promise<Result>,
): Promise<Result | Throttled> {
  const own = await ownTries(ctx, browser, who);
  if (own === null) return await throttling(ctx, strangersTries(browser, who), attempt);
  const result = await attempt();
  if (result.kind === "done") await forgiveTries(ctx, own);
  return result;
}

function strangersTries({ address }: Browser, who: { readonly email: string } | null): readonly Counted[] {
  const from = { scope: "address", key: address } as const;
  if (who === null) return [from];
  return [{ scope: "pair", key: `${who.email} ${networkOf(address)}` }, { scope: "email", key: who.email }, from];
}

/** Of somebody who is signed in, or half so, which nobody else can make them be. */
export async function triesOf(ctx: AuthContext, userId: string, browser: Browser | null): Promise<readonly Counted[]> {
  const own = { scope: "user", key: userId } as const;
  const counts = browser !== null && (await knownDevice(ctx, browser, { userId })) === null;
  return counts ? [own, { scope: "address", key: browser.address }] : [own];
}

/** A right one was no wrong try; whoever is known by it starts again from nothing. */
async function forgiveTries(ctx: AuthContext, counted: readonly Counted[]): Promise<void> {
  for (const one of counted) {
    if (one.scope === "address")
      await ctx.sql`update tries set count = count - 1 where scope = ${scopeOf(ctx, one)} and key = ${keyOf(one)} and count > 0`;
    else await ctx.sql`delete from tries where scope = ${scopeOf(ctx, one)} and key = ${keyOf(one)}`;
  }
}

export async function sweepTries(ctx: AuthContext): Promise<void> {
  await ctx.sql`delete from tries where began_at <= ${new Date(ctx.clock.now() - WINDOW_MILLISECONDS)}`;
}

function scopeOf(ctx: AuthContext, one: Counted): string {
  return `${ctx.realm}/${one.scope}`;
}

function keyOf({ scope, key }: Counted): Buffer {
  const network = scope === "address" || scope === "stranger" ? networkOf(key) : key;
  return createHash("sha256").update(network).digest();
}

// Whoever has one IPv6 address has the 2^64 beside it.
function networkOf(text: string): string {
  const address = parseAddress(text);
  if (address?.kind() !== "ipv6") return text;
  return address.toByteArray().slice(0, 8).join(".");
}
