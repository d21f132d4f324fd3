import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import type { Conflict, Done, NotFound } from "../../accounts/context.ts";
import type { AuthContext } from "../context.ts";
import { recordOwn } from "../record.ts";
import type { Refused } from "../sessions/sign-in.ts";
import { lockUser } from "../store.ts";
import { deletePasskey, insertPasskey, listPasskeys, readFactors, replaceRecoveryCodes } from "./factor-store.ts";
import { answeredChallenge, newChallenge, type Site, siteHost } from "./passkey-challenge.ts";
import { newRecoveryCodes } from "./recovery-codes.ts";
import { LAST_FACTOR } from "./switch-totp.ts";
import { webauthn } from "./webauthn.ts";

const MAX_PASSKEYS = 20;

export type Owner = { readonly userId: string; readonly email: string; readonly name: string };

/** The browser's options for creating a passkey that can sign in without a password. */
export async function passkeyOptions(ctx: AuthContext, owner: Owner, site: Site) {
  const { generateRegistrationOptions } = await webauthn();
  const known = await listPasskeys(ctx.sql, owner.userId);
  return await generateRegistrationOptions({
    rpName: "Corprail",
    rpID: siteHost(site),
    userName: owner.email,
    userDisplayName: owner.name,
    userID: Buffer.from(owner.userId),
    challenge: await newChallenge(ctx, { purpose: "register", userId: owner.userId }),
    attestationType: "none",
    excludeCredentials: known.map((row) => ({ id: row.credential_id, transports: row.transports })),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  });
}

export type Registration = {
  readonly userId: string;
  readonly name: string;
  readonly response: RegistrationResponseJSON;
  readonly site: Site;
};
export type Registered = {
  readonly kind: "done";
  readonly passkeyId: string;
  /** Only with the first second factor, so that a lost passkey does not lock its owner out. */
  readonly recoveryCodes: readonly string[] | null;
};

export async function registerPasskey(ctx: AuthContext, input: Registration): Promise<Registered | Refused | Conflict> {
  const made = await readNewCredential(ctx, input);
  if (!made) return { kind: "refused" };
  const now = ctx.clock.now();
  const passkeyId = ctx.ids.entry(now);
  return await ctx.sql.begin(async (tx): Promise<Registered | Refused | Conflict> => {
    const user = await lockUser(tx, ctx.realm, input.userId);
    if (!user) return { kind: "refused" };
    const before = await readFactors(tx, input.userId);
    if (before.passkeys >= MAX_PASSKEYS) return { kind: "conflict", reason: `There are ${MAX_PASSKEYS} passkeys. Delete one first.` };
    const row = {
      passkey_id: passkeyId,
      user_id: input.userId,
      name: input.name,
      credential_id: made.id,
      public_key: Buffer.from(made.publicKey),
      counter: BigInt(made.counter),
      transports: made.transports ?? [],
      created_at: new Date(now),
      last_used_at: null,
    };
    if (!(await insertPasskey(tx, row))) return { kind: "conflict", reason: "This passkey is already registered." };
    const recovery = before.recovery_codes === 0 && !before.totp ? newRecoveryCodes() : null;
    if (recovery) await replaceRecoveryCodes(tx, input.userId, recovery.digests);
    await recordOwn(tx, ctx, user, "passkey_added", { passkey_id: passkeyId, name: input.name });
    return { kind: "done", passkeyId, recoveryCodes: recovery?.codes ?? null };
  });
}

async function readNewCredential(ctx: AuthContext, { userId, response, site }: Registration) {
  const expectedChallenge = await answeredChallenge(ctx, { purpose: "register", userId }, response.response.clientDataJSON);
  if (expectedChallenge === null) return null;
  const { verifyRegistrationResponse } = await webauthn();
  try {
    const verified = await verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: site.origin,
      expectedRPID: siteHost(site),
      requireUserVerification: false,
    });
    return verified.verified ? verified.registrationInfo.credential : null;
  } catch {
    // The response is not a valid registration for this site.
    return null;
  }
}

export async function removePasskey(ctx: AuthContext, userId: string, passkeyId: string): Promise<Done | NotFound | Conflict> {
  return await ctx.sql.begin(async (tx): Promise<Done | NotFound | Conflict> => {
    const user = await lockUser(tx, ctx.realm, userId);
    const before = await readFactors(tx, userId);
    if (ctx.realm === "console" && !before.totp && before.passkeys === 1) return LAST_FACTOR;
    const name = user ? await deletePasskey(tx, userId, passkeyId) : null;
    if (!user || name === null) return { kind: "not_found" };
    const left = await readFactors(tx, userId);
    if (!left.totp && left.passkeys === 0) await replaceRecoveryCodes(tx, userId, []);
    await recordOwn(tx, ctx, user, "passkey_deleted", { passkey_id: passkeyId, name });
    return { kind: "done" };
  });
}
