import type { AuthContext, Browser } from "../context.ts";
import { readFactors } from "../factors/factor-store.ts";
import { recordOwn } from "../record.ts";
import { lockUser } from "../store.ts";
import type { Completed } from "./complete-sign-in.ts";
import type { SignedInPerson } from "./prove.ts";
import { deleteSession, lockSession } from "./session-store.ts";
import type { Refused } from "./sign-in.ts";
import { startSession } from "./start-session.ts";

/** Signs a user in who has just set up a second factor, with a new session token. */
export async function completeEnrolment(ctx: AuthContext, person: SignedInPerson, browser: Browser): Promise<Completed | Refused> {
  const { userId, sessionId } = person;
  return await ctx.sql.begin(async (tx): Promise<Completed | Refused> => {
    const user = await lockUser(tx, ctx.realm, userId);
    if (!user || user.disabled_at || !(await lockSession(tx, { userId, sessionId, stage: "enrol" }))) return { kind: "refused" };
    const factors = await readFactors(tx, userId);
    if (!factors.totp && factors.passkeys === 0) return { kind: "refused" };
    await deleteSession(tx, userId, sessionId);
    const started = await startSession(tx, ctx, { userId, stage: "full", browser });
    await recordOwn(tx, ctx, user, "signed_in", { session_id: started.sessionId, address: browser.address });
    return { kind: "done", token: started.token, devices: started.devices };
  });
}
