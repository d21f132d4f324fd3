import type { AuthContext } from "./context.ts";
import { sweepChallenges } from "./factors/factor-store.ts";
import { sweepDevices } from "./sessions/devices.ts";
import { deleteDeadSessions } from "./sessions/session-store.ts";
import { sessionMoment } from "./sessions/start-session.ts";
import { sweepAttempts } from "./sessions/throttle.ts";
import { sweepRequests } from "./single-sign-on/requests.ts";

/** Clocks of processes differ: something expired here may still be valid in another process. */
const GRACE_MILLISECONDS = 60 * 60_000;

/** Deletes expired rows of the module. */
export async function sweepAuth(current: AuthContext): Promise<void> {
  const ctx = { ...current, clock: { now: () => current.clock.now() - GRACE_MILLISECONDS } };
  const moment = sessionMoment(ctx);
  await deleteDeadSessions(ctx.sql, moment);
  await sweepChallenges(ctx.sql, moment.now);
  await sweepAttempts(ctx);
  await sweepDevices(ctx);
  await sweepRequests(ctx.sql, moment.now);
}
