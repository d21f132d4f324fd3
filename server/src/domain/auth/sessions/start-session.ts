import type { Transaction } from "../../../platform/db/connection.ts";
import type { AuthContext, Browser, Realm } from "../context.ts";
import { newToken } from "../tokens.ts";
import { rememberDevice } from "./devices.ts";
import { insertSession, type Moment, type SessionIdentity, type Stage } from "./session-store.ts";

const HOUR = 60 * 60_000;
const IDLE_MILLISECONDS = 12 * HOUR;
const LIFE_MILLISECONDS: Readonly<Record<Stage, number>> = { full: 7 * 24 * HOUR, half: 10 * 60_000, enrol: 30 * 60_000 };
const VIEW_MILLISECONDS = 30 * 60_000;

export const SESSION_SECONDS = LIFE_MILLISECONDS.full / 1000;

/** The stage after a correct password without a second factor: staff must set one up first. */
export function firstStage(realm: Realm): Stage {
  return realm === "console" ? "enrol" : "full";
}

/** The account that staff view, and their console session. */
export type ViewStart = { readonly accountId: string; readonly parentSessionId: string };

type SessionStart = {
  readonly userId: string;
  readonly stage: Stage;
  readonly browser: Browser;
  readonly view?: ViewStart;
  readonly identity?: SessionIdentity;
};

const NO_IDENTITY: SessionIdentity = { identity_provider_id: null, identity_subject: null, identity_session_id: null };

export type StartedSession = {
  readonly token: string;
  readonly sessionId: string;
  /** The browser's device tokens from now on; null while the sign-in is not complete. */
  readonly devices: readonly string[] | null;
};

/** Starts a session with a new token, so that no token known before can become a session. */
export async function startSession(tx: Transaction, ctx: AuthContext, start: SessionStart): Promise<StartedSession> {
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
    ...(start.identity ?? NO_IDENTITY),
  });
  const isSignIn = start.stage === "full" && start.view === undefined;
  return { token, sessionId, devices: isSignIn ? await rememberDevice(tx, ctx, start.userId, start.browser) : null };
}

/** The times that decide whether a session has ended. */
export function sessionMoment(ctx: AuthContext): Moment {
  const now = ctx.clock.now();
  return { now: new Date(now), idleSince: new Date(now - IDLE_MILLISECONDS) };
}
