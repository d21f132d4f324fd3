import type { FastifyRequest } from "fastify";
import type { SiteSession } from "./action.ts";
import { isOwnPage } from "./origin.ts";
import { Refusal } from "./refusal.ts";

const PROOF_MILLISECONDS = 5 * 60_000;

/** The requirements of an action. */
export type Asked = {
  readonly method: string;
  readonly roles: "anyone" | readonly string[];
  readonly proof?: "recent" | undefined;
  readonly enrolling?: boolean | undefined;
};

/** Checks in this order: origin, session, CSRF token, role, and a fresh proof of identity if required. */
export function refusalOf(
  clock: { readonly now: () => number },
  asked: Asked,
  session: SiteSession | null,
  origin: string,
  request: FastifyRequest,
): Refusal | null {
  const change = asked.method !== "GET";
  if (change && !isOwnPage(origin, request)) return new Refusal("forbidden", "Changes are accepted only from pages of this site.");
  if (asked.roles === "anyone") return null;
  if (!session || !hasReachedStage(asked, session)) return new Refusal("unauthorized", "Sign in first.");
  if (change && request.headers["x-csrf-token"] !== session.csrfToken)
    return new Refusal("forbidden", "The page is out of date. Load it again.");
  if (!asked.roles.includes(session.role)) return new Refusal("forbidden", "Your role does not allow this.");
  if (change && session.viewing) return new Refusal("forbidden", "You are viewing this portal as staff, so you cannot change anything.");
  return asked.proof === "recent" ? proofRefusal(clock, session) : null;
}

/** Refuses a session without a recent proof of identity. For actions that need one only for some changes. */
export function proofRefusal(clock: { readonly now: () => number }, session: Pick<SiteSession, "stage" | "provedAt">): Refusal | null {
  // A user without a second factor has nothing to prove their identity with.
  const isRecent = session.stage !== "full" || clock.now() - session.provedAt <= PROOF_MILLISECONDS;
  return isRecent ? null : new Refusal("step_up_required", "Confirm your identity, then try again.");
}

function hasReachedStage({ enrolling = false }: Asked, { stage }: SiteSession): boolean {
  return stage === "full" || (enrolling && stage === "enrol");
}
