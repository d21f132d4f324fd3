import type { FastifyReply, FastifyRequest } from "fastify";
import type { Conflict, Done, NotFound } from "../../../domain/accounts/context.ts";
import { resetFactors } from "../../../domain/auth/factors/reset-factors.ts";
import { changeMember } from "../../../domain/auth/team/change-member.ts";
import { invite } from "../../../domain/auth/team/invite.ts";
import { invitationLink } from "../../../domain/auth/team/links.ts";
import { readTeam } from "../../../domain/auth/team/read-team.ts";
import { revokeInvitation } from "../../../domain/auth/team/revoke-invitation.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { invitationView, memberView } from "../../sites/team-view.ts";
import { ADMINS, EVERYBODY, may } from "../access.ts";
import { actor, caller } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { notFound, refuse, refuseFields } from "../errors.ts";
import { noBody } from "../fields.ts";
import { siteAddress } from "../site-address.ts";
import type { ZodApp } from "../zod-app.ts";
import { staffInvitationBody, staffInvitationParams, staffParams, staffRoleBody } from "./staff-fields.ts";

/** Staff of the platform. The first member is invited with an operator key. */
export function staffRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get("/staff", { config: may(EVERYBODY) }, async () => await showStaff(deps));

  app.post("/staff/invitations", { config: may(ADMINS, "fresh"), schema: { body: staffInvitationBody } }, async (request, reply) => {
    const { person } = caller(request);
    const made = await invite(deps.staff, actor(request), { accountId: null, ...request.body, person });
    if (made.kind === "invalid_email") return refuseFields(reply, { email: "Must be an e-mail address." });
    if (made.kind !== "done")
      return refuse(reply, "conflict", made.kind === "conflict" ? made.reason : "The current state does not allow this.");
    const invitation_url = invitationLink("console", siteAddress(deps, "console", request), made.token);
    return reply.code(201).send({ invitation_url, expires_at: indiaDateTime(made.expiresAt.getTime()) });
  });

  app.post(
    "/staff/invitations/:invitation_id/revoke",
    { config: may(ADMINS, "fresh"), schema: { params: staffInvitationParams, body: noBody } },
    async (request, reply) => {
      const invitation = { accountId: null, invitationId: request.params.invitation_id, ...request.body };
      return await answer(deps, reply, await revokeInvitation(deps.staff, actor(request), invitation));
    },
  );
  memberRoutes(app, deps);
}

function memberRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  const config = may(ADMINS, "fresh");
  type Asked = FastifyRequest & { readonly params: { readonly user_id: string }; readonly body: { readonly reason?: string | undefined } };
  const memberOf = (request: Asked) => {
    const { params, body } = request;
    return { accountId: null, userId: params.user_id, byPerson: caller(request).person, reason: body.reason };
  };

  app.post("/staff/:user_id/role", { config, schema: { params: staffParams, body: staffRoleBody } }, async (request, reply) => {
    return await answer(deps, reply, await changeMember(deps.staff, actor(request), memberOf(request), { role: request.body.role }));
  });

  app.post("/staff/:user_id/disable", { config, schema: { params: staffParams, body: noBody } }, async (request, reply) => {
    return await answer(deps, reply, await changeMember(deps.staff, actor(request), memberOf(request), { disabled: true }));
  });

  app.post("/staff/:user_id/enable", { config, schema: { params: staffParams, body: noBody } }, async (request, reply) => {
    return await answer(deps, reply, await changeMember(deps.staff, actor(request), memberOf(request), { disabled: false }));
  });

  app.post("/staff/:user_id/reset-second-factor", { config, schema: { params: staffParams, body: noBody } }, async (request, reply) => {
    return await answer(deps, reply, await resetFactors(deps.staff, actor(request), memberOf(request)));
  });
}

async function answer(deps: OperatorApiDependencies, reply: FastifyReply, result: Done | NotFound | Conflict): Promise<FastifyReply> {
  if (result.kind === "not_found") return notFound(reply, "member of the staff, or invitation");
  return result.kind === "conflict" ? refuse(reply, "conflict", result.reason) : reply.send(await showStaff(deps));
}

async function showStaff(deps: OperatorApiDependencies) {
  const { members, invitations } = await readTeam(deps.staff, null);
  return { ok: true, items: members.map(memberView), invitations: invitations.map(invitationView), next: null };
}
