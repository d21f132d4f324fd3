import type { PeopleContext } from "../people/context.ts";
import { findSession } from "../people/find-session.ts";
import type { Role } from "../people/user.ts";

export type { Role } from "../people/user.ts";

/** Somebody at the portal, as their cookie shows. */
export type Session = {
  readonly sessionId: string;
  readonly userId: string;
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Sent back by the page with every change; a foreign page cannot know it. */
  readonly csrfToken: string;
  /** `half` while the password was right and the second factor is still owed. */
  readonly stage: "half" | "full";
  /** When they last proved who they are, in milliseconds. */
  readonly provedAt: number;
};

/** Finds the session a cookie's token belongs to; null when there is none, or no longer. */
export type FindSession = (token: string) => Promise<Session | null>;

/** Sessions as the database has them. Staff have none here. */
export function portalSessions(people: PeopleContext): FindSession {
  return async (token) => {
    const session = await findSession(people, token);
    return session === null || session.accountId === null ? null : { ...session, accountId: session.accountId };
  };
}
