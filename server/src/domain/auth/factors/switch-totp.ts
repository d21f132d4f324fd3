import { refuseRetiredKey } from "../../accounts/account-change.ts";
import type { Conflict, Done } from "../../accounts/context.ts";
import type { AuthContext } from "../context.ts";
import { recordOwn } from "../record.ts";
import type { SignedInPerson } from "../sessions/prove.ts";
import type { Refused } from "../sessions/sign-in.ts";
import { sessionAttempts, type Throttled, throttling } from "../sessions/throttle.ts";
import { lockUser } from "../store.ts";
import { confirmTotp, deleteTotp, findTotp, readFactors, replaceRecoveryCodes, saveTotp } from "./factor-store.ts";
import { newRecoveryCodes } from "./recovery-codes.ts";
import { newTotpSecret, totpContext, totpStep, totpUri } from "./totp.ts";

const IN_USE: Conflict = { kind: "conflict", reason: "An authenticator app is already in use. Switch it off first." };

/** Staff must keep at least one second factor. */
export const LAST_FACTOR: Conflict = { kind: "conflict", reason: "At the console a second factor is required. Set up another one first." };

/** Creates a secret that has no effect until a code confirms it. */
export async function startTotp(
  ctx: AuthContext,
  userId: string,
): Promise<{ readonly kind: "done"; readonly secret: string; readonly uri: string } | Conflict> {
  const secret = newTotpSecret();
  const { keyId, sealed } = ctx.vault.keyring().seal(secret, totpContext(userId));
  return await ctx.sql.begin(async (tx) => {
    const user = await lockUser(tx, ctx.realm, userId);
    if (!user || !(await saveTotp(tx, { userId, keyId, sealed, at: new Date(ctx.clock.now()) }))) return IN_USE;
    await recordOwn(tx, ctx, user, "totp_started");
    await refuseRetiredKey(tx, keyId);
    return { kind: "done", secret, uri: totpUri(secret, user.email) };
  });
}

export type WithCodes = { readonly kind: "done"; readonly recoveryCodes: readonly string[] };

/** From now on every sign-in requires a code; ten recovery codes replace a lost app. */
export async function confirmTotpCode(
  ctx: AuthContext,
  person: SignedInPerson,
  code: string,
): Promise<WithCodes | Refused | Conflict | Throttled> {
  const { userId } = person;
  return await throttling<WithCodes | Refused | Conflict>(ctx, sessionAttempts(person), async () => {
    const row = await findTotp(ctx.sql, userId);
    if (!row) return { kind: "conflict", reason: "There is no secret to confirm. Start the setup again." };
    if (row.confirmed_at) return IN_USE;
    const step = await totpStep(ctx, userId, row, code);
    if (step === null) return { kind: "refused" };
    return await ctx.sql.begin(async (tx): Promise<WithCodes | Refused> => {
      const user = await lockUser(tx, ctx.realm, userId);
      if (!user || !(await confirmTotp(tx, userId, row.sealed, step, new Date(ctx.clock.now())))) return { kind: "refused" };
      const { codes, digests } = newRecoveryCodes();
      await replaceRecoveryCodes(tx, userId, digests);
      await recordOwn(tx, ctx, user, "totp_enabled");
      return { kind: "done", recoveryCodes: codes };
    });
  });
}

/** When no second factor is left, the recovery codes are deleted as well. */
export async function disableTotp(ctx: AuthContext, userId: string): Promise<Done | Conflict> {
  return await ctx.sql.begin(async (tx): Promise<Done | Conflict> => {
    const user = await lockUser(tx, ctx.realm, userId);
    const { passkeys } = await readFactors(tx, userId);
    if (passkeys === 0 && ctx.realm === "console") return LAST_FACTOR;
    if (!user || !(await deleteTotp(tx, userId))) return { kind: "conflict", reason: "No authenticator app is in use." };
    if (passkeys === 0) await replaceRecoveryCodes(tx, userId, []);
    await recordOwn(tx, ctx, user, "totp_disabled");
    return { kind: "done" };
  });
}

/** Creates ten new recovery codes and invalidates the previous ones. */
export async function renewRecoveryCodes(ctx: AuthContext, userId: string): Promise<WithCodes | Conflict> {
  return await ctx.sql.begin(async (tx): Promise<WithCodes | Conflict> => {
    const user = await lockUser(tx, ctx.realm, userId);
    const factors = await readFactors(tx, userId);
    if (!user || (!factors.totp && factors.passkeys === 0))
      return { kind: "conflict", reason: "Recovery codes need a second factor. Set one up first." };
    const { codes, digests } = newRecoveryCodes();
    await replaceRecoveryCodes(tx, userId, digests);
    await recordOwn(tx, ctx, user, "recovery_codes_replaced");
    return { kind: "done", recoveryCodes: codes };
  });
}
