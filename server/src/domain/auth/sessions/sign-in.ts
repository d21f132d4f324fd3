import type { AuthContext, Browser } from "../context.ts";
import { type Factors, readFactors } from "../factors/factor-store.ts";
import { passwordMatches } from "../passwords/passwords.ts";
import { record, recordOwn } from "../record.ts";
import { mayUseLocalSignIn } from "../single-sign-on/enforcement.ts";
import { findUserByEmail, lockUser, type UserRow } from "../store.ts";
import { readEmail } from "../user.ts";
import { deleteSession, type Stage } from "./session-store.ts";
import { firstStage, startSession } from "./start-session.ts";
import { type Throttled, throttlingSignIn } from "./throttle.ts";

export type Method = "totp" | "passkey" | "recovery";
export type SignedIn = {
  readonly kind: "done";
  readonly token: string;
  readonly stage: Stage;
  readonly devices: readonly string[] | null;
  /** The available second factors. */
  readonly methods: readonly Method[];
};
export type Refused = { readonly kind: "refused" };

export type SignIn = {
  readonly email: string;
  readonly password: string;
  readonly browser: Browser;
  /** The browser's previous session, which ends. */
  readonly before: { readonly userId: string; readonly sessionId: string } | null;
  /** Runs work after the reply, so that known and unknown users are answered equally fast. */
  readonly later: (work: Promise<unknown>) => void;
};

/** Signs in by password. The reply and its timing are the same for an unknown or locked email and a wrong password. */
export async function signIn(ctx: AuthContext, input: SignIn): Promise<SignedIn | Refused | Throttled> {
  const email = readEmail(input.email) ?? input.email.trim().toLowerCase();
  return await throttlingSignIn<SignedIn | Refused>(ctx, input.browser, { email }, async () => {
    const user = await findUserByEmail(ctx.sql, ctx.realm, email);
    const matches = await passwordMatches(user && !user.disabled_at ? user.password_hash : null, input.password);
    if (user && matches) return await open(ctx, user, input);
    if (user) input.later(recordFailure(ctx, user, input.browser));
    return { kind: "refused" };
  });
}

async function open(ctx: AuthContext, user: UserRow, input: SignIn): Promise<SignedIn | Refused> {
  return await ctx.sql.begin(async (tx) => {
    const now = await lockUser(tx, ctx.realm, user.user_id);
    // The password was replaced or the user locked during the comparison.
    if (!now || now.disabled_at || now.password_hash !== user.password_hash) return { kind: "refused" };
    if (!(await mayUseLocalSignIn(tx, ctx, now, input.browser))) return { kind: "refused" };
    const factors = await readFactors(tx, user.user_id);
    const stage = factors.totp || factors.passkeys > 0 ? "half" : firstStage(ctx.realm);
    if (input.before) await deleteSession(tx, input.before.userId, input.before.sessionId);
    const { token, sessionId, devices } = await startSession(tx, ctx, { userId: user.user_id, stage, browser: input.browser });
    const action = stage === "full" ? "signed_in" : "password_accepted";
    await recordOwn(tx, ctx, user, action, { session_id: sessionId, address: input.browser.address });
    return { kind: "done", token, stage, devices, methods: methodsOf(factors) };
  });
}

export function methodsOf(factors: Factors): readonly Method[] {
  const methods: Method[] = [];
  if (factors.totp) methods.push("totp");
  if (factors.passkeys > 0) methods.push("passkey");
  if (factors.recovery_codes > 0) methods.push("recovery");
  return methods;
}

// The person has not proved to be that user, so the user is not the actor.
async function recordFailure(ctx: AuthContext, user: UserRow, browser: Browser): Promise<void> {
  const subject = { id: user.user_id, accountId: user.account_id };
  await ctx.sql.begin((tx) => record(tx, ctx, "visitor", "sign_in_refused", subject, { address: browser.address }));
}
