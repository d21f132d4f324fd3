import type { Queryable, Transaction } from "../../platform/db/connection.ts";
import type { AuthContext, Browser } from "./context.ts";
import { digestOf, newToken } from "./tokens.ts";

/** For so long after its last sign-in a browser counts as known. */
export const DEVICE_SECONDS = 180 * 24 * 60 * 60;
/** A browser that several people use keeps one token for each of the latest. */
export const MOST_DEVICES = 4;

function digestsOf(sql: Queryable, tokens: readonly string[]) {
  const digests = tokens.map((token) => digestOf(token).toString("hex"));
  return sql`(select decode(digest, 'hex') from unnest(${digests}::text[]) as t (digest))`;
}

export type Whose = { readonly email: string } | { readonly userId: string };

/** By what this browser is known that has completed a sign-in of that user before; without a user, of anybody. Else null. */
export async function knownDevice(ctx: AuthContext, { devices }: Browser, who: Whose | null): Promise<string | null> {
  if (devices.length === 0) return null;
  const { sql, realm } = ctx;
  const since = new Date(ctx.clock.now() - DEVICE_SECONDS * 1000);
  const whose = who === null ? sql`` : "email" in who ? sql`and u.email = ${who.email}` : sql`and u.user_id = ${who.userId}`;
  const [found] = await sql<{ digest: Buffer }[]>`
    select d.digest from known_devices d join users u on u.user_id = d.user_id
    where d.digest in ${digestsOf(sql, devices)} and d.last_used_at > ${since} and u.realm = ${realm} ${whose}
    order by d.digest limit 1`;
  return found ? found.digest.toString("hex") : null;
}

/** Remembers the browser that somebody has just completed a sign-in from. Answers its tokens from now on, the newest first. */
export async function rememberDevice(tx: Transaction, ctx: AuthContext, userId: string, { devices }: Browser): Promise<readonly string[]> {
  const now = new Date(ctx.clock.now());
  const known = await tx<{ digest: Buffer }[]>`
    update known_devices set last_used_at = ${now} where user_id = ${userId} and digest in ${digestsOf(tx, devices)} returning digest`;
  // Only a token that was made for this user: whoever plants one of theirs in another's browser gains nothing by it.
  const own = devices.find((token) => known.some(({ digest }) => digest.equals(digestOf(token)))) ?? (await newDevice(tx, userId, now));
  return [own, ...devices.filter((token) => token !== own)].slice(0, MOST_DEVICES);
}

async function newDevice(tx: Transaction, userId: string, now: Date): Promise<string> {
  const { token, digest } = newToken("");
  await tx`insert into known_devices (digest, user_id, created_at, last_used_at) values (${digest}, ${userId}, ${now}, ${now})`;
  return token;
}

/** All of a user's, or all but those of the browser they use just now. */
export async function forgetDevices(tx: Queryable, userId: string, except: readonly string[] = []): Promise<void> {
  await tx`delete from known_devices where user_id = ${userId} and digest not in ${digestsOf(tx, except)}`;
}

export async function sweepDevices(ctx: AuthContext): Promise<void> {
  await ctx.sql`delete from known_devices where last_used_at <= ${new Date(ctx.clock.now() - DEVICE_SECONDS * 1000)}`;
}
