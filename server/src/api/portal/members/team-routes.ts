import { z } from "zod";
import type { Conflict, Done, NotFound } from "../../../domain/accounts/context.ts";
import { personActor } from "../../../domain/auth/record.ts";
import { countAttempts } from "../../../domain/auth/sessions/throttle.ts";
import { changeMember } from "../../../domain/auth/team/change-member.ts";
import { invite } from "../../../domain/auth/team/invite.ts";
import { invitationLink } from "../../../domain/auth/team/links.ts";
import { readTeam } from "../../../domain/auth/team/read-team.ts";
import { revokeInvitation } from "../../../domain/auth/team/revoke-invitation.ts";
import { type Role, readEmail } from "../../../domain/auth/user.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { later, tooMany } from "../../auth/answers.ts";
import { email, id, role } from "../../auth/fields.ts";
import { mailInvitation } from "../../auth/mails.ts";
import { invitationView, memberView } from "../../sites/team-view.ts";
import type { PortalContext } from "../context.ts";
import { EVERYBODY, fault, json, memberRoute, OWNERS, type PortalAnswer, type PortalRoute, type Visit } from "../route.ts";
import type { Session } from "../session.ts";

export function teamRoutes(ctx: PortalContext): readonly PortalRoute[] {
  const owners = { method: "POST", who: OWNERS, stepUp: true } as const;
  return [
    memberRoute({
      method: "GET",
      path: "/team",
      does: "Lists the account's users and open invitations",
      who: EVERYBODY,
      input: z.object({}),
      handle: ({ session }) => show(ctx, session.accountId),
    }),
    memberRoute({
      ...owners,
      path: "/team/invitations",
      does: "Invites a user by a link that works once",
      input: z.strictObject({ email, role }),
      handle: (visit) => sendInvitation(ctx, visit),
    }),
    memberRoute({
      ...owners,
      path: "/team/invitations/{invitation_id}/revoke",
      does: "Revokes an invitation",
      input: z.strictObject({ invitation_id: id }),
      handle: async ({ session, input }) => {
        const { accountId, userId } = session;
        return changed(await revokeInvitation(ctx.auth, personActor("portal", userId), { accountId, invitationId: input.invitation_id }));
      },
    }),
    memberRoute({
      ...owners,
      path: "/team/{user_id}/role",
      does: "Changes a member's role",
      input: z.strictObject({ user_id: id, role }),
      handle: async (visit) => changed(await change(ctx, visit, { role: visit.input.role })),
    }),
    memberRoute({
      ...owners,
      path: "/team/{user_id}/disable",
      does: "Disables a member",
      input: z.strictObject({ user_id: id }),
      handle: async (visit) => changed(await change(ctx, visit, { disabled: true })),
    }),
    memberRoute({
      ...owners,
      path: "/team/{user_id}/enable",
      does: "Enables a member",
      input: z.strictObject({ user_id: id }),
      handle: async (visit) => changed(await change(ctx, visit, { disabled: false })),
    }),
  ];
}

async function change(
  ctx: PortalContext,
  { session, input }: Visit<{ readonly user_id: string }, Session>,
  to: Parameters<typeof changeMember>[3],
): Promise<Done | NotFound | Conflict> {
  return await changeMember(ctx.auth, personActor("portal", session.userId), { accountId: session.accountId, userId: input.user_id }, to);
}

function changed(result: Done | NotFound | Conflict): PortalAnswer {
  if (result.kind === "not_found") return fault("not_found", "There is no such member or invitation.");
  return result.kind === "conflict" ? fault("conflict", result.reason) : json({});
}

async function sendInvitation(
  ctx: PortalContext,
  { session, input, origin }: Visit<{ readonly email: string; readonly role: Role }, Session>,
): Promise<PortalAnswer> {
  const throttled = await countAttempts(ctx.auth, [{ scope: "invitation", key: readEmail(input.email) ?? input.email }]);
  if (throttled) return tooMany(throttled);
  const made = await invite(ctx.auth, personActor("portal", session.userId), { accountId: session.accountId, ...input });
  if (made.kind === "invalid_email")
    return fault("invalid_request", "This is not an e-mail address.", { fields: { email: "Must be an e-mail address." } });
  if (made.kind !== "done") return changed(made);
  const link = invitationLink("portal", origin, made.token);
  later(ctx)(mailInvitation(ctx.mail, { to: made.email, accountName: made.accountName, link, invitedBy: session.name }));
  return json({ link, expires_at: indiaDateTime(made.expiresAt.getTime()) });
}

async function show(ctx: PortalContext, accountId: string): Promise<PortalAnswer> {
  const { members, invitations } = await readTeam(ctx.auth, accountId);
  return json({
    members: members.map(memberView),
    invitations: invitations.map(invitationView),
  });
}
