import type { AuthContext } from "../context.ts";
import { passwordMatches } from "../passwords/passwords.ts";
import { recordOwn } from "../record.ts";
import { findUser, lockUser } from "../store.ts";
import { type TakeProof, totpProof } from "./complete-sign-in.ts";
import { updateProof } from "./session-store.ts";
import type { Refused } from "./sign-in.ts";
import { sessionAttempts, type Throttled, throttling } from "./throttle.ts";

export type SignedInPerson = { readonly userId: string; readonly sessionId: string };
export type Proved = { readonly kind: "done"; readonly provedAt: number };
type Proof = { readonly how: "password" | "totp" | "passkey"; readonly take: TakeProof };

export async function proveByPassword(ctx: AuthContext, person: SignedInPerson, password: string): Promise<Proved | Refused | Throttled> {
  return await throttling<Proved | Refused>(ctx, sessionAttempts(person), async () => {
    const user = await findUser(ctx.sql, ctx.realm, person.userId);
    const matches = await passwordMatches(user?.password_hash ?? null, password);
    return matches ? await prove(ctx, person, { how: "password", take: async () => true }) : { kind: "refused" };
  });
}

export async function proveByTotp(ctx: AuthContext, person: SignedInPerson, code: string): Promise<Proved | Refused | Throttled> {
  return await throttling<Proved | Refused>(ctx, sessionAttempts(person), async () => {
    const take = await totpProof(ctx, person.userId, code);
    return take ? await prove(ctx, person, { how: "totp", take }) : { kind: "refused" };
  });
}

/** Allows this session to perform protected actions for the next five minutes. */
export async function prove(ctx: AuthContext, person: SignedInPerson, proof: Proof): Promise<Proved | Refused> {
  return await ctx.sql.begin(async (tx) => {
    const user = await lockUser(tx, ctx.realm, person.userId);
    const at = new Date(ctx.clock.now());
    if (!user || user.disabled_at || !(await proof.take(tx)) || !(await updateProof(tx, person.sessionId, at))) return { kind: "refused" };
    await recordOwn(tx, ctx, user, "proved", { session_id: person.sessionId, how: proof.how });
    return { kind: "done", provedAt: at.getTime() };
  });
}
