import type { Transaction } from "../../platform/db/connection.ts";
import type { AuthContext, Browser, Realm } from "./context.ts";
import { rememberDevice } from "./devices.ts";
import { insertSession, type Moment, type Stage } from "./session-store.ts";
import { newToken } from "./tokens.ts";

const HOUR = 60 * 60_000;
const IDLE_MILLISECONDS = 12 * HOUR;
const LIFE_MILLISECONDS: Readonly<Record<Stage, number>> = { full: 7 * 24 * HOUR, half: 10 * 60_000, enrol: 30 * 60_000 };
const VIEW_MILLISECONDS = 30 * 60_000;

export const SESSION_SECONDS = LIFE_MILLISECONDS.full / 1000;

/** Of somebody whose password was right and who has no second factor: staff must set one up before anything else. */
export function firstStage(realm: Realm): Stage {
  return realm === "console" ? "enrol" : "full";
}

/** Of staff who look at a client's portal: whose, and from which session of theirs at the console. */
export type ViewStart = { readonly accountId: string; readonly parentSessionId: string };

export type StartedSession = {
  readonly token: string;
  readonly sessionId: string;
  /** By which the browser is known from now on; null when the sign-in is not complete yet. */
  readonly devices: readonly string[] | null;
};

/** A session has a token of its own from its first moment: none that was known before becomes one. */
export async function startSession(
  tx: Transaction,
  ctx: AuthContext,
  start: { readonly userId: string; readonly stage: Stage; readonly browser: Browser; readonly view?: ViewStart },
): Promise<StartedSession> {
  const now = ctx.clock.now();
  const at = new Date(now);
  const { token, digest } = newToken("");
  const sessionId = ctx.ids.entry(now);
  await insertSession(tx, digest, {
    session_id: sessionId,
    user_id: start.userId,
    stage: start.stage,
    proved_at: at,
    address: start.browser.address,
    user_agent: start.browser.userAgent,
    created_at: at,
    last_seen_at: at,
    expires_at: new Date(now + (start.view === undefined ? LIFE_MILLISECONDS[start.stage] : VIEW_MILLISECONDS)),
    view_account_id: start.view?.accountId ?? null,
    parent_session_id: start.view?.parentSessionId ?? null,
  });
  const isSignIn = start.stage === "full" && start.view === undefined;
  return { token, sessionId, devices: isSignIn ? await rememberDevice(tx, ctx, start.userId, start.browser) : null };
}

/** Against which it is decided whether a session is over. */
export function sessionMoment(ctx: AuthContext): Moment {
  const now = ctx.clock.now();
  return { now: new Date(now), idleSince: new Date(now - IDLE_MILLISECONDS) };
}
