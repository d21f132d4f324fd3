import type { FastifyReply } from "fastify";
import { readAccount } from "../../domain/accounts/read-account.ts";
import { resetFactors } from "../../domain/auth/factors/reset-factors.ts";
import { grantView } from "../../domain/auth/sessions/view-portal.ts";
import { invite } from "../../domain/auth/team/invite.ts";
import { invitationLink } from "../../domain/auth/team/links.ts";
import { readTeam } from "../../domain/auth/team/read-team.ts";
import type { Role } from "../../domain/auth/user.ts";
import { indiaDateTime } from "../../platform/core/india-time.ts";
import { invitationView, memberView } from "../sites/team-view.ts";
import { ADMINS, EVERYBODY, may, OPERATIONS, SUPPORT } from "./access.ts";
import { actor, caller, isOneOf } from "./caller.ts";
import type { OperatorApiDependencies } from "./dependencies.ts";
import { notFound, refuse, refuseFields } from "./errors.ts";
import { accountParams, id, invitationBody, noBody } from "./fields.ts";
import { siteAddress } from "./site-address.ts";
import type { ZodApp } from "./zod-app.ts";

// These roles can replace the account's token and secrets, so inviting one can take over the account.
const HOLD_CREDENTIALS: readonly Role[] = ["owner", "developer"];
const ADMINS_INVITE = "Only an admin can invite an owner or a developer of a client. Ask an admin or an owner of the client.";

const personParams = accountParams.extend({ user_id: id });

/** Portal users of an account: inviting the first owner, who invites the others, and resetting second factors. */
export function portalRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.post(
    "/accounts/:account_id/portal-invitations",
    { config: may(OPERATIONS, "fresh"), schema: { params: accountParams, body: invitationBody } },
    async (request, reply) => {
      if (HOLD_CREDENTIALS.includes(request.body.role) && !isOneOf(caller(request), ADMINS))
        return refuse(reply, "forbidden", ADMINS_INVITE);
      const made = await invite(deps.auth, actor(request), { accountId: request.params.account_id, ...request.body });
      if (made.kind === "not_found") return notFound(reply, "account");
      if (made.kind === "invalid_email") return refuseFields(reply, { email: "Must be an e-mail address." });
      if (made.kind === "conflict") return refuse(reply, "conflict", made.reason);
      const invitation_url = invitationLink("portal", siteAddress(deps, "portal", request), made.token);
      return reply.code(201).send({ invitation_url, expires_at: indiaDateTime(made.expiresAt.getTime()) });
    },
  );

  app.get("/accounts/:account_id/people", { config: may(EVERYBODY), schema: { params: accountParams } }, async (request, reply) => {
    return await answerUsers(deps, reply, request.params.account_id);
  });

  app.post(
    "/accounts/:account_id/people/:user_id/reset-second-factor",
    { config: may(OPERATIONS, "fresh"), schema: { params: personParams, body: noBody } },
    async (request, reply) => {
      const { account_id: accountId, user_id: userId } = request.params;
      const result = await resetFactors(deps.auth, actor(request), { accountId, userId, ...request.body });
      return result.kind === "not_found" ? notFound(reply, "person") : await answerUsers(deps, reply, accountId);
    },
  );

  app.post(
    "/accounts/:account_id/view-as-client",
    { config: may(SUPPORT, "fresh"), schema: { params: accountParams, body: noBody } },
    async (request, reply) => {
      const { staff, actor: who } = caller(request);
      if (staff === null) return refuse(reply, "conflict", "Only staff can view a client's portal. Sign in at the console.");
      const visitor = { userId: staff.userId, sessionId: staff.sessionId, actor: who };
      const link = await grantView(deps.staff, visitor, request.params.account_id, request.body.reason);
      if (link.kind === "not_found") return notFound(reply, "account");
      const url = `${siteAddress(deps, "portal", request)}/portal/view#${link.token}`;
      return reply.send({ url, expires_at: indiaDateTime(link.expiresAt.getTime()) });
    },
  );
}

async function answerUsers(deps: OperatorApiDependencies, reply: FastifyReply, accountId: string): Promise<FastifyReply> {
  if (!(await readAccount(deps, accountId))) return notFound(reply, "account");
  const { members, invitations } = await readTeam(deps.auth, accountId);
  return reply.send({ ok: true, items: members.map(memberView), invitations: invitations.map(invitationView), next: null });
}
