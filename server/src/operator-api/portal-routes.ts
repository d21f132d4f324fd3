import type { FastifyRequest } from "fastify";
import { indiaDateTime } from "../kernel/india-time.ts";
import { invite } from "../people/invite.ts";
import { invitationLink } from "../people/links.ts";
import { may, OPERATIONS } from "./access.ts";
import { actor } from "./caller.ts";
import type { OperatorApiDependencies } from "./dependencies.ts";
import { notFound, refuse, refuseFields } from "./errors.ts";
import { accountParams, invitationBody } from "./fields.ts";
import type { ZodApp } from "./zod-app.ts";

/** How an account gets its first owner at the portal; later ones are invited there. */
export function portalRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.post(
    "/accounts/:account_id/portal-invitations",
    { config: may(OPERATIONS, "fresh"), schema: { params: accountParams, body: invitationBody } },
    async (request, reply) => {
      const made = await invite(deps.people, actor(request), { accountId: request.params.account_id, ...request.body });
      if (made.kind === "not_found") return notFound(reply, "account");
      if (made.kind === "invalid_email") return refuseFields(reply, { email: "Must be an e-mail address." });
      if (made.kind === "conflict") return refuse(reply, "conflict", made.reason);
      const invitation_url = invitationLink(deps.publicUrl ?? asAsked(request), made.token);
      return reply.code(201).send({ invitation_url, expires_at: indiaDateTime(made.expiresAt.getTime()) });
    },
  );
}

// The operator's own program has named the host it asked.
function asAsked(request: FastifyRequest): string {
  return `${request.protocol}://${request.headers.host ?? ""}`;
}
