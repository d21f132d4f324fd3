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
  return async (request, reply) => {
    const origin = originOf(ctx, request);
    const session = await sessionOf({ ...ctx, site: "console" }, request, origin);
    const { roles, fresh } = request.routeOptions.config.access ?? { roles: EVERYBODY, fresh: false };
    const refusal = refusalOf(ctx.clock, { method: request.method, who: roles, stepUp: fresh }, session, origin, request);
    if (refusal) return refuse(request, reply, refusal);
    if (session) request.setDecorator("caller", callerOf(session));
    return undefined;
  };
}

function callerOf({ userId, name, role }: StaffSession): Caller {
  const actor = personActor("console", userId);
  return { kind: "staff", actor, person: actor, staff: { userId, name, role } };
}
