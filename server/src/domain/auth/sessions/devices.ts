import type { Queryable, Transaction } from "../../../platform/db/connection.ts";
import type { AuthContext, Browser } from "../context.ts";
import { digestOf, newToken } from "../tokens.ts";

/** How long after its last sign-in a browser counts as known. */
export const DEVICE_SECONDS = 180 * 24 * 60 * 60;
/** A shared browser keeps one token for each of its latest users. */
export const MAX_DEVICES = 4;

function digestsOf(sql: Queryable, tokens: readonly string[]) {
  const digests = tokens.map((token) => digestOf(token).toString("hex"));
  return sql`(select decode(digest, 'hex') from unnest(${digests}::text[]) as t (digest))`;
}

export type DeviceOwner = { readonly email: string } | { readonly userId: string };

/** The device by which this browser is known from an earlier sign-in of that user, or of any user without one. Otherwise null. */
export async function knownDevice(ctx: AuthContext, { devices }: Browser, who: DeviceOwner | null): Promise<string | null> {
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

/** Remembers the browser of a completed sign-in. Returns its tokens from now on, the newest first. */
export async function rememberDevice(tx: Transaction, ctx: AuthContext, userId: string, { devices }: Browser): Promise<readonly string[]> {
  const now = new Date(ctx.clock.now());
  const known = await tx<{ digest: Buffer }[]>`
    update known_devices set last_used_at = ${now} where user_id = ${userId} and digest in ${digestsOf(tx, devices)} returning digest`;
  // Only a token of this user is reused, so that a token planted by another user has no effect.
  const own = devices.find((token) => known.some(({ digest }) => digest.equals(digestOf(token)))) ?? (await newDevice(tx, userId, now));
  return [own, ...devices.filter((token) => token !== own)].slice(0, MAX_DEVICES);
}

async function newDevice(tx: Transaction, userId: string, now: Date): Promise<string> {
  const { token, digest } = newToken("");
  await tx`insert into known_devices (digest, user_id, created_at, last_used_at) values (${digest}, ${userId}, ${now}, ${now})`;
  return token;
}

/** Forgets all of a user's devices, except those of the current browser if given. */
export async function forgetDevices(tx: Queryable, userId: string, except: readonly string[] = []): Promise<void> {
  await tx`delete from known_devices where user_id = ${userId} and digest not in ${digestsOf(tx, except)}`;
}

export async function sweepDevices(ctx: AuthContext): Promise<void> {
  await ctx.sql`delete from known_devices where last_used_at <= ${new Date(ctx.clock.now() - DEVICE_SECONDS * 1000)}`;
}
