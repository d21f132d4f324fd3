import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { AccountMode } from "../../../domain/accounts/account-mode.ts";
import { personActor } from "../../../domain/auth/record.ts";
import { forRoles } from "../../auth/action.ts";
import { AUTH_ACTIONS } from "../../auth/auth-actions.ts";
import type { AuthDependencies, AuthTools } from "../../auth/context.ts";
import { changedCookie, hasChanged } from "../../sites/actions/cookies.ts";
import { originOf } from "../../sites/actions/origin.ts";
import { isSame, refuse, type SiteGateContext, sessionOf, siteApi } from "../../sites/actions/site-api.ts";
import { refusalOf } from "../../sites/actions/site-gate.ts";
import { EVERYBODY } from "../access.ts";
import { modeOf, refuseMode } from "../account-mode.ts";
import type { Authenticate } from "../authenticate.ts";
import type { Caller } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { operatorApi } from "../plugin.ts";
import type { StaffSession } from "./session.ts";

export type ConsoleContext = AuthTools & SiteGateContext<StaffSession> & Pick<AuthDependencies, "mode">;

/** The console's API, registered under /console/api: sign-in and security actions, and the operator API for staff sessions. */
export function consoleApi(ctx: ConsoleContext, operator: OperatorApiDependencies): FastifyPluginAsync {
  const deps: ConsoleContext & AuthDependencies = { ...ctx, describe: async () => ({}) };
  return async (app) => {
    await app.register(siteApi({ ...ctx, site: "console" }, deps, forRoles<StaffSession>(EVERYBODY, AUTH_ACTIONS)));
    await app.register(operatorApi(operator, authenticateStaff(ctx, operator.replica !== undefined)));
  };
}

/** Authenticates staff for the operator API: checks origin, session, CSRF token, role and, if required, a fresh proof. */
function authenticateStaff(ctx: SiteGateContext<StaffSession>, hasReplica: boolean): Authenticate {
  const check = async (request: FastifyRequest, activity: { readonly seen: boolean }) => {
    const origin = originOf(ctx, request);
    const session = await sessionOf({ ...ctx, site: "console" }, request, origin, activity);
    const { roles, fresh } = request.routeOptions.config.access ?? { roles: EVERYBODY, fresh: false };
    const asked = { method: request.method, roles, proof: fresh && activity.seen ? ("recent" as const) : undefined };
    return { session, refusal: refusalOf(ctx.clock, asked, session, origin, request) };
  };
  return async (request, reply) => {
    const { session, refusal } = await check(request, { seen: true });
    if (refusal) return refuse(request, reply, refusal);
    const isStillAuthorized = async () => {
      const now = await check(request, { seen: false });
      return now.refusal === null && isSame(session, now.session);
    };
    const mode = modeOf(request);
    if (mode === undefined) return refuseMode(reply);
    // Staff see live accounts unless they have switched to test mode.
    const mayReadReplica = hasReplica && !hasChanged(request.headers.cookie);
    if (session) request.setDecorator("caller", { ...callerOf(session, mode ?? "live", isStillAuthorized), mayReadReplica });
    if (hasReplica && request.method === "POST") reply.header("set-cookie", changedCookie(originOf(ctx, request).startsWith("https:")));
    return undefined;
  };
}

function callerOf(
  { userId, sessionId, name, role }: StaffSession,
  mode: AccountMode,
  isStillAuthorized: Caller["isStillAuthorized"],
): Omit<Caller, "mayReadReplica"> {
  const actor = personActor("console", userId);
  const staff = { userId, sessionId, name, role };
  return { kind: "staff", mode, actor, person: actor, staff, roles: [role], keyLimits: null, isStillAuthorized };
}
