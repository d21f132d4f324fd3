import type { FastifyRequest } from "fastify";
import { EVERYBODY } from "../operator-api/access.ts";
import type { Door } from "../operator-api/authenticate.ts";
import type { Caller } from "../operator-api/caller.ts";
import { personActor } from "../people/record.ts";
import { originOf } from "../site-kit/origin.ts";
import { isSame, refuse, type SiteGateContext, sessionOf } from "../site-kit/site-api.ts";
import { refusalOf } from "../site-kit/site-gate.ts";
import type { StaffSession } from "./session.ts";

/** The door of the staff to the operator API: a page of ours, a session, its token, the role, a fresh proof where asked. */
export function staffDoor(ctx: SiteGateContext<StaffSession>): Door {
  const look = async (request: FastifyRequest, how: { readonly seen: boolean }) => {
    const origin = originOf(ctx, request);
    const session = await sessionOf({ ...ctx, site: "console" }, request, origin, how);
    const { roles, fresh } = request.routeOptions.config.access ?? { roles: EVERYBODY, fresh: false };
    const asked = { method: request.method, who: roles, stepUp: fresh && how.seen };
    return { session, refusal: refusalOf(ctx.clock, asked, session, origin, request) };
  };
  return async (request, reply) => {
    const { session, refusal } = await look(request, { seen: true });
    if (refusal) return refuse(request, reply, refusal);
    const isStillIn = async () => {
      const now = await look(request, { seen: false });
      return now.refusal === null && isSame(session, now.session);
    };
    if (session) request.setDecorator("caller", callerOf(session, isStillIn));
    return undefined;
  };
}

function callerOf({ userId, sessionId, name, role }: StaffSession, isStillIn: Caller["isStillIn"]): Caller {
  const actor = personActor("console", userId);
  return { kind: "staff", actor, person: actor, staff: { userId, sessionId, name, role }, isStillIn };
}
