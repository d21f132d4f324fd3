import type { AuthContext } from "./context.ts";
import { listPasskeys, type PasskeyRow, readFactors } from "./factors/factor-store.ts";
import { listLiveSessions, type SessionRow } from "./sessions/session-store.ts";
import { type Method, methodsOf } from "./sessions/sign-in.ts";
import { sessionMoment } from "./sessions/start-session.ts";

export type Security = {
  readonly totp: boolean;
  readonly recoveryCodesLeft: number;
  readonly passkeys: readonly PasskeyRow[];
  readonly sessions: readonly SessionRow[];
};

export async function readSecurity(ctx: AuthContext, userId: string): Promise<Security> {
  const factors = await readFactors(ctx.sql, userId);
  return {
    totp: factors.totp,
    recoveryCodesLeft: factors.recovery_codes,
    passkeys: await listPasskeys(ctx.sql, userId),
    sessions: await listLiveSessions(ctx.sql, userId, sessionMoment(ctx)),
  };
}

export async function readMethods(ctx: AuthContext, userId: string): Promise<readonly Method[]> {
  return methodsOf(await readFactors(ctx.sql, userId));
}
