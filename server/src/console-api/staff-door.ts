import type { FastifyRequest } from "fastify";
import { EVERYBODY } from "../operator-api/access.ts";
import type { Door } from "../operator-api/authenticate.ts";
import type { Caller } from "../operator-api/caller.ts";
import { personActor } from "../people/record.ts";
import { originOf } from "../site-kit/origin.ts";
import { refuse, type SiteGateContext, sessionOf } from "../site-kit/site-api.ts";
import { refusalOf } from "../site-kit/site-gate.ts";
import type { StaffSession } from "./session.ts";

/** The door of the staff to the operator API: a page of ours, a session, its token, the role, a fresh proof where asked. */
export function staffDoor(ctx: SiteGateContext<StaffSession>): Door {
  const look = async (request: FastifyRequest) => {
    const origin = originOf(ctx, request);
    const session = await sessionOf({ ...ctx, site: "console" }, request, origin);
    const { roles, fresh } = request.routeOptions.config.access ?? { roles: EVERYBODY, fresh: false };
    return { session, refusal: refusalOf(ctx.clock, { method: request.method, who: roles, stepUp: fresh }, session, origin, request) };
  };
  return async (request, reply) => {
    const { session, refusal } = await look(request);
    if (refusal) return refuse(request, reply, refusal);
    const isStillIn = async () => (await look(request)).refusal === null;
    if (session) request.setDecorator("caller", callerOf(session, isStillIn));
    return undefined;
  };
}

function callerOf({ userId, name, role }: StaffSession, isStillIn: Caller["isStillIn"]): Caller {
  const actor = personActor("console", userId);
  return { kind: "staff", actor, person: actor, staff: { userId, name, role }, isStillIn };
}
