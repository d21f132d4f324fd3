import type { AuthContext } from "./context.ts";
import { sweepDevices } from "./devices.ts";
import { sweepChallenges } from "./factor-store.ts";
import { deleteDeadSessions } from "./session-store.ts";
import { sessionMoment } from "./start-session.ts";
import { sweepTries } from "./throttle.ts";

/** Clocks of processes differ: something expired here may still be valid in another process. */
const GRACE_MILLISECONDS = 60 * 60_000;

/** Deletes expired rows of the module. */
export async function sweepAuth(people: AuthContext): Promise<void> {
  const ctx = { ...people, clock: { now: () => people.clock.now() - GRACE_MILLISECONDS } };
  const moment = sessionMoment(ctx);
  await deleteDeadSessions(ctx.sql, moment);
  await sweepChallenges(ctx.sql, moment.now);
  await sweepTries(ctx);
  await sweepDevices(ctx);
}
