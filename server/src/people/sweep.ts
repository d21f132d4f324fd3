import type { PeopleContext } from "./context.ts";
import { sweepChallenges } from "./factor-store.ts";
import { deleteDeadSessions } from "./session-store.ts";
import { sessionMoment } from "./start-session.ts";
import { sweepTries } from "./throttle.ts";

/** What nobody can use any more. */
export async function sweepPeople(ctx: PeopleContext): Promise<void> {
  const moment = sessionMoment(ctx);
  await deleteDeadSessions(ctx.sql, moment);
  await sweepChallenges(ctx.sql, moment.now);
  await sweepTries(ctx);
}
