import type { FastifyRequest } from "fastify";
import { isOwnPage } from "./origin.ts";
import { type Fault, fault, type SiteSession } from "./route.ts";

const PROOF_MILLISECONDS = 5 * 60_000;

/** What a call asks of whoever makes it. */
export type Asked = {
  readonly method: string;
  readonly who: "anyone" | readonly string[];
  readonly stepUp?: boolean;
  readonly enrolling?: boolean;
};

/** In this order: a page of ours, signed in, its token, the role, and who they are proved lately where that matters. */
export function refusalOf(
  clock: { readonly now: () => number },
  asked: Asked,
  session: SiteSession | null,
  origin: string,
  request: FastifyRequest,
): Fault | null {
  const change = asked.method !== "GET";
  if (change && !isOwnPage(origin, request)) return fault("forbidden", "A change must be asked for by a page of this site.");
  if (asked.who === "anyone") return null;
  if (!session || !isFar(asked, session)) return fault("unauthorized", "Sign in first.");
  if (change && request.headers["x-csrf-token"] !== session.csrfToken) return fault("forbidden", "The page is out of date. Load it again.");
  if (!asked.who.includes(session.role)) return fault("forbidden", "Your role does not allow this.");
  if (change && session.viewing) return fault("forbidden", "You look at this portal as staff: nothing can be changed here.");
  // Who is to set up a first second factor has nothing to prove by.
  if (asked.stepUp && session.stage === "full" && clock.now() - session.provedAt > PROOF_MILLISECONDS)
    return fault("step_up_required", "Confirm your identity, then try again.");
  return null;
}

function isFar({ enrolling = false }: Asked, { stage }: SiteSession): boolean {
  return stage === "full" || (enrolling && stage === "enrol");
}
