import type { Transaction } from "../../../platform/db/connection.ts";
import type { AuthContext, Browser } from "../context.ts";
import { findTotp, readFactors, takeTotpStep, useRecoveryCode } from "../factors/factor-store.ts";
import { recoveryDigest } from "../factors/recovery-codes.ts";
import { totpStep } from "../factors/totp.ts";
import { recordOwn } from "../record.ts";
import { lockUser } from "../store.ts";
import type { SignedInPerson } from "./prove.ts";
import { deleteSession, lockSession } from "./session-store.ts";
import type { Method, Refused } from "./sign-in.ts";
import { startSession } from "./start-session.ts";
import { secondFactorAttempts, type Throttled, throttling } from "./throttle.ts";

export type HalfSession = { readonly userId: string; readonly sessionId: string };
export type Completed = { readonly kind: "done"; readonly token: string; readonly devices: readonly string[] | null };

/** Uses a one-time proof in the caller's transaction; returns false when it is wrong or already used. */
export type TakeProof = (tx: Transaction) => Promise<boolean>;

export async function completeByTotp(
  ctx: AuthContext,
  half: HalfSession,
  code: string,
  browser: Browser,
): Promise<Completed | Refused | Throttled> {
  return await throttling<Completed | Refused>(ctx, await secondFactorAttempts(ctx, half.userId, browser), async () => {
    const proof = await totpProof(ctx, half.userId, code);
    return proof ? await completeSignIn(ctx, half, browser, "totp", proof) : { kind: "refused" };
  });
}

export async function completeByRecoveryCode(
  ctx: AuthContext,
  half: HalfSession,
  code: string,
  browser: Browser,
): Promise<Completed | Refused | Throttled> {
  const proof: TakeProof = (tx) => useRecoveryCode(tx, half.userId, recoveryDigest(code));
  return await throttling(ctx, await secondFactorAttempts(ctx, half.userId, browser), () =>
    completeSignIn(ctx, half, browser, "recovery", proof),
  );
}

/** Null when the code is wrong, whether or not it was used before. */
export async function totpProof(ctx: AuthContext, userId: string, code: string): Promise<TakeProof | null> {
  const row = await findTotp(ctx.sql, userId);
  const step = row?.confirmed_at ? await totpStep(ctx, userId, row, code) : null;
  return step === null ? null : (tx) => takeTotpStep(tx, userId, step);
}

/** Turns the half session into a full one with a new token. Of two concurrent attempts, one succeeds. */
export async function completeSignIn(
  ctx: AuthContext,
  half: HalfSession,
  browser: Browser,
  how: Method,
  takeProof: TakeProof,
): Promise<Completed | Refused> {
  return await ctx.sql.begin(async (tx) => {
    const user = await lockUser(tx, ctx.realm, half.userId);
    if (!user || user.disabled_at) return { kind: "refused" };
    // Checked first, so that no recovery code is used for a session that has ended.
    const identity = await lockSession(tx, { ...half, stage: "half" });
    if (!identity) return { kind: "refused" };
    if (!(await takeProof(tx))) return { kind: "refused" };
    await deleteSession(tx, half.userId, half.sessionId);
    const { token, sessionId, devices } = await startSession(tx, ctx, { userId: half.userId, stage: "full", browser, identity });
    await recordOwn(tx, ctx, user, "signed_in", { session_id: sessionId, address: browser.address, second_factor: how });
    return { kind: "done", token, devices };
  });
}

/** Signs a user in who has just set up a second factor, with a new session token. */
export async function completeEnrolment(ctx: AuthContext, person: SignedInPerson, browser: Browser): Promise<Completed | Refused> {
  const { userId, sessionId } = person;
  return await ctx.sql.begin(async (tx): Promise<Completed | Refused> => {
    const user = await lockUser(tx, ctx.realm, userId);
    if (!user || user.disabled_at) return { kind: "refused" };
    const identity = await lockSession(tx, { userId, sessionId, stage: "enrol" });
    if (!identity) return { kind: "refused" };
    const factors = await readFactors(tx, userId);
    if (!factors.totp && factors.passkeys === 0) return { kind: "refused" };
    await deleteSession(tx, userId, sessionId);
    const started = await startSession(tx, ctx, { userId, stage: "full", browser, identity });
    await recordOwn(tx, ctx, user, "signed_in", { session_id: started.sessionId, address: browser.address });
    return { kind: "done", token: started.token, devices: started.devices };
  });
}
