import type { FastifyRequest } from "fastify";
import { isOwnPage } from "./origin.ts";
import { type Fault, fault, type SiteSession } from "./route.ts";

const PROOF_MILLISECONDS = 5 * 60_000;

/** The requirements of a route. */
export type Asked = {
  readonly method: string;
  readonly who: "anyone" | readonly string[];
  readonly stepUp?: boolean;
  readonly enrolling?: boolean;
};

/** Checks in this order: origin, session, CSRF token, role, and a fresh proof of identity if required. */
export function refusalOf(
  clock: { readonly now: () => number },
  asked: Asked,
  session: SiteSession | null,
  origin: string,
  request: FastifyRequest,
): Fault | null {
  const change = asked.method !== "GET";
  if (change && !isOwnPage(origin, request)) return fault("forbidden", "Changes are accepted only from pages of this site.");
  if (asked.who === "anyone") return null;
  if (!session || !isFar(asked, session)) return fault("unauthorized", "Sign in first.");
  if (change && request.headers["x-csrf-token"] !== session.csrfToken) return fault("forbidden", "The page is out of date. Load it again.");
  if (!asked.who.includes(session.role)) return fault("forbidden", "Your role does not allow this.");
  if (change && session.viewing) return fault("forbidden", "You are viewing this portal as staff, so you cannot change anything.");
  // A user without a second factor has nothing to prove their identity with.
  if (asked.stepUp && session.stage === "full" && clock.now() - session.provedAt > PROOF_MILLISECONDS)
    return fault("step_up_required", "Confirm your identity, then try again.");
  return null;
}

function isFar({ enrolling = false }: Asked, { stage }: SiteSession): boolean {
  return stage === "full" || (enrolling && stage === "enrol");
}
