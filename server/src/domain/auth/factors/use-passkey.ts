import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import type { AuthContext, Browser } from "../context.ts";
import { recordOwn } from "../record.ts";
import { type Completed, completeSignIn, type HalfSession, type TakeProof } from "../sessions/complete-sign-in.ts";
import { knownDevice } from "../sessions/devices.ts";
import { type Proved, prove, type SignedInPerson } from "../sessions/prove.ts";
import { deleteSession } from "../sessions/session-store.ts";
import type { Refused } from "../sessions/sign-in.ts";
import { startSession } from "../sessions/start-session.ts";
import {
  countAttempts,
  secondFactorAttempts,
  sessionAttempts,
  type Throttled,
  throttling,
  throttlingSignIn,
} from "../sessions/throttle.ts";
import { mayUseLocalSignIn } from "../single-sign-on/enforcement.ts";
import { lockUser } from "../store.ts";
import { findPasskey, listPasskeys, type PasskeyRow, usePasskey } from "./factor-store.ts";
import { answeredChallenge, type Ceremony, newChallenge, type Site, siteHost } from "./passkey-challenge.ts";
import { webauthn } from "./webauthn.ts";

/** The options for one of the user's passkeys, or for any passkey of the browser when the user is not known yet. */
export async function passkeyRequestOptions(ctx: AuthContext, ceremony: Ceremony, site: Site) {
  const { generateAuthenticationOptions } = await webauthn();
  const known = ceremony.userId === null ? [] : await listPasskeys(ctx.sql, ceremony.userId);
  return await generateAuthenticationOptions({
    rpID: siteHost(site),
    challenge: await newChallenge(ctx, ceremony),
    allowCredentials: known.map((row) => ({ id: row.credential_id, transports: row.transports })),
    userVerification: needsVerification(ceremony) ? "required" : "preferred",
  });
}

/** The same for unauthenticated requests, with a limit on the challenges they can store. */
export async function anonymousPasskeyOptions(ctx: AuthContext, site: Site, browser: Browser) {
  const isKnown = (await knownDevice(ctx, browser, null)) !== null;
  const throttled = isKnown ? null : await countAttempts(ctx, [{ scope: "stranger", key: browser.address }]);
  return throttled ?? { kind: "done" as const, options: await passkeyRequestOptions(ctx, { purpose: "sign_in", userId: null }, site) };
}

// As a second factor, possession of the passkey is enough. Alone it must also verify its owner by fingerprint or PIN.
function needsVerification(ceremony: Ceremony): boolean {
  return ceremony.userId === null || ceremony.purpose === "prove";
}

export type PasskeyAnswer = { readonly response: AuthenticationResponseJSON; readonly site: Site; readonly browser: Browser };

export async function completeByPasskey(
  ctx: AuthContext,
  half: HalfSession,
  answer: PasskeyAnswer,
): Promise<Completed | Refused | Throttled> {
  return await throttling<Completed | Refused>(ctx, await secondFactorAttempts(ctx, half.userId, answer.browser), async () => {
    const used = await checkAnswer(ctx, { purpose: "sign_in", userId: half.userId }, answer);
    return used ? await completeSignIn(ctx, half, answer.browser, "passkey", used.take) : { kind: "refused" };
  });
}

export async function proveByPasskey(
  ctx: AuthContext,
  person: SignedInPerson,
  answer: PasskeyAnswer,
): Promise<Proved | Refused | Throttled> {
  return await throttling<Proved | Refused>(ctx, sessionAttempts(person), async () => {
    const used = await checkAnswer(ctx, { purpose: "prove", userId: person.userId }, answer);
    return used ? await prove(ctx, person, { how: "passkey", take: used.take }) : { kind: "refused" };
  });
}

/** Signs in without a password; the passkey identifies the user. `before` is the browser's previous session, which ends. */
export async function signInByPasskey(
  ctx: AuthContext,
  answer: PasskeyAnswer,
  before: HalfSession | null,
): Promise<Completed | Refused | Throttled> {
  return await throttlingSignIn<Completed | Refused>(ctx, answer.browser, null, async () => {
    const used = await checkAnswer(ctx, { purpose: "sign_in", userId: null }, answer);
    if (!used) return { kind: "refused" };
    const { user_id: userId } = used.passkey;
    return await ctx.sql.begin(async (tx): Promise<Completed | Refused> => {
      const user = await lockUser(tx, ctx.realm, userId);
      if (!user || user.disabled_at || !(await used.take(tx))) return { kind: "refused" };
      if (!(await mayUseLocalSignIn(tx, ctx, user, answer.browser))) return { kind: "refused" };
      if (before) await deleteSession(tx, before.userId, before.sessionId);
      const { token, sessionId, devices } = await startSession(tx, ctx, { userId, stage: "full", browser: answer.browser });
      await recordOwn(tx, ctx, user, "signed_in", {
        session_id: sessionId,
        address: answer.browser.address,
        passkey_id: used.passkey.passkey_id,
      });
      return { kind: "done", token, devices };
    });
  });
}

type Used = { readonly passkey: PasskeyRow; readonly take: TakeProof };

async function checkAnswer(ctx: AuthContext, ceremony: Ceremony, { response, site }: PasskeyAnswer): Promise<Used | null> {
  const expectedChallenge = await answeredChallenge(ctx, ceremony, response.response.clientDataJSON);
  const passkey = await findPasskey(ctx.sql, ctx.realm, response.id);
  if (expectedChallenge === null || !passkey || (ceremony.userId !== null && ceremony.userId !== passkey.user_id)) return null;
  const { verifyAuthenticationResponse } = await webauthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: site.origin,
      expectedRPID: siteHost(site),
      credential: { id: passkey.credential_id, publicKey: new Uint8Array(passkey.public_key), counter: Number(passkey.counter) },
      requireUserVerification: needsVerification(ceremony),
    });
    const at = new Date(ctx.clock.now());
    return verified ? { passkey, take: (tx) => usePasskey(tx, passkey.passkey_id, authenticationInfo.newCounter, at) } : null;
  } catch {
    // The signature, host or counter is not valid.
    return null;
  }
}
