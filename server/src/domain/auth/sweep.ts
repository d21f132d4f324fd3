import type { AuthContext } from "./context.ts";
import { sweepDevices } from "./devices.ts";
import { sweepChallenges } from "./factor-store.ts";
import { deleteDeadSessions } from "./session-store.ts";
import { sessionMoment } from "./start-session.ts";
import { sweepTries } from "./throttle.ts";

/** The clocks of two processes differ: what is over by this one's may still be good by another's. */
const GRACE_MILLISECONDS = 60 * 60_000;

/** What nobody can use any more. */
export async function sweepAuth(people: AuthContext): Promise<void> {
  const ctx = { ...people, clock: { now: () => people.clock.now() - GRACE_MILLISECONDS } };
  const moment = sessionMoment(ctx);
  await deleteDeadSessions(ctx.sql, moment);
  await sweepChallenges(ctx.sql, moment.now);
  await sweepTries(ctx);
  await sweepDevices(ctx);
}
