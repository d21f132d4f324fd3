import type { FastifyRequest } from "fastify";
import { personActor } from "../../../domain/auth/record.ts";
import { originOf } from "../../sites/origin.ts";
import { isSame, refuse, type SiteGateContext, sessionOf } from "../../sites/site-api.ts";
import { refusalOf } from "../../sites/site-gate.ts";
import { EVERYBODY } from "../access.ts";
import type { Authenticate } from "../authenticate.ts";
import type { Caller } from "../caller.ts";
import type { StaffSession } from "./session.ts";

/** Authenticates staff for the operator API: checks origin, session, CSRF token, role and, if required, a fresh proof. */
export function authenticateStaff(ctx: SiteGateContext<StaffSession>): Authenticate {
  const look = async (request: FastifyRequest, how: { readonly seen: boolean }) => {
    const origin = originOf(ctx, request);
    const session = await sessionOf({ ...ctx, site: "console" }, request, origin, how);
    const { roles, fresh } = request.routeOptions.config.access ?? { roles: EVERYBODY, fresh: false };
    const asked = { method: request.method, roles, proof: fresh && how.seen ? ("recent" as const) : undefined };
    return { session, refusal: refusalOf(ctx.clock, asked, session, origin, request) };
  };
  return async (request, reply) => {
    const { session, refusal } = await look(request, { seen: true });
    if (refusal) return refuse(request, reply, refusal);
    const isStillAuthorized = async () => {
      const now = await look(request, { seen: false });
      return now.refusal === null && isSame(session, now.session);
    };
    if (session) request.setDecorator("caller", callerOf(session, isStillAuthorized));
    return undefined;
  };
}

function callerOf({ userId, sessionId, name, role }: StaffSession, isStillAuthorized: Caller["isStillAuthorized"]): Caller {
  const actor = personActor("console", userId);
  return { kind: "staff", actor, person: actor, staff: { userId, sessionId, name, role }, isStillAuthorized };
}
