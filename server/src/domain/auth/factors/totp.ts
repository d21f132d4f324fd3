import { generateSecret, generateURI, verifySync } from "otplib";
import { sealedTable } from "../../accounts/master-key/sealed-table.ts";
import type { AuthContext } from "../context.ts";
import type { TotpRow } from "./factor-store.ts";

const STEP_SECONDS = 30;
const CODE = /^\d{6}$/;

export function newTotpSecret(): string {
  return generateSecret({ length: 20 });
}

/** The URI that an authenticator app reads from the QR code. */
export function totpUri(secret: string, email: string): string {
  return generateURI({ issuer: "Corprail", label: email, secret });
}

/** The encryption context that binds a secret to its user. */
export function totpContext(userId: string): string {
  return `user/${userId}/totp`;
}

/** The time step of a correct code, at most one step away because clocks differ; null when it is wrong. */
export async function totpStep(ctx: AuthContext, userId: string, row: TotpRow, code: string): Promise<number | null> {
  const token = code.replaceAll(/\s/g, "");
  if (!CODE.test(token)) return null;
  const secret = await ctx.vault.open({ keyId: row.key_id, sealed: row.sealed }, totpContext(userId));
  const epoch = Math.floor(ctx.clock.now() / 1000);
  const result = verifySync({ secret, token, epoch, period: STEP_SECONDS, epochTolerance: STEP_SECONDS });
  return result.valid ? Math.floor(epoch / STEP_SECONDS) + (result.delta ?? 0) : null;
}

/** The table of authenticator secrets, for key rotation. */
export const TOTP_SECRETS = sealedTable({ table: "user_totps", id: "user_id", keyId: "key_id", sealed: "sealed", contextOf: totpContext });
