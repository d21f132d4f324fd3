import type { Transaction } from "../db/connection.ts";
import type { Browser, PeopleContext, Realm } from "./context.ts";
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

export type StartedSession = { readonly token: string; readonly sessionId: string };

/** A session has a token of its own from its first moment: none that was known before becomes one. */
export async function startSession(
  tx: Transaction,
  ctx: PeopleContext,
  start: { readonly userId: string; readonly stage: Stage; readonly browser: Browser; readonly viewAccountId?: string },
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
    expires_at: new Date(now + (start.viewAccountId === undefined ? LIFE_MILLISECONDS[start.stage] : VIEW_MILLISECONDS)),
    view_account_id: start.viewAccountId ?? null,
  });
  return { token, sessionId };
}

/** Against which it is decided whether a session is over. */
export function sessionMoment(ctx: PeopleContext): Moment {
  const now = ctx.clock.now();
  return { now: new Date(now), idleSince: new Date(now - IDLE_MILLISECONDS) };
}
