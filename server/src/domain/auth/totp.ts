import { generateSecret, generateURI, verifySync } from "otplib";
import type { AuthContext } from "./context.ts";
import type { TotpRow } from "./factor-store.ts";

const STEP_SECONDS = 30;
const CODE = /^\d{6}$/;

export function newTotpSecret(): string {
  return generateSecret({ length: 20 });
}

/** What an authenticator app reads from the picture. */
export function totpUri(secret: string, email: string): string {
  return generateURI({ issuer: "Corprail", label: email, secret });
}

/** The row that a secret is sealed for. */
export function totpContext(userId: string): string {
  return `user/${userId}/totp`;
}

/** The time step a code is right for, now or one step away for clocks that differ; null when it is wrong. */
export async function totpStep(ctx: AuthContext, userId: string, row: TotpRow, code: string): Promise<number | null> {
  const token = code.replaceAll(/\s/g, "");
  if (!CODE.test(token)) return null;
  const secret = await ctx.vault.open({ keyId: row.key_id, sealed: row.sealed }, totpContext(userId));
  const epoch = Math.floor(ctx.clock.now() / 1000);
  const result = verifySync({ secret, token, epoch, period: STEP_SECONDS, epochTolerance: STEP_SECONDS });
  return result.valid ? Math.floor(epoch / STEP_SECONDS) + (result.delta ?? 0) : null;
}
