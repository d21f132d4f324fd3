import { z } from "zod";
import type { Conflict, Done, NotFound } from "../../../domain/accounts/context.ts";
import { createPasswordLink } from "../../../domain/auth/passwords/create-password-link.ts";
import { personActor } from "../../../domain/auth/record.ts";
import { countAttempts } from "../../../domain/auth/sessions/throttle.ts";
import { setBreakGlass, unlinkIdentity } from "../../../domain/auth/single-sign-on/break-glass.ts";
import { changeMember } from "../../../domain/auth/team/change-member.ts";
import { invite } from "../../../domain/auth/team/invite.ts";
import { invitationLink, resetLink } from "../../../domain/auth/team/links.ts";
import { readTeam } from "../../../domain/auth/team/read-team.ts";
import { revokeInvitation } from "../../../domain/auth/team/revoke-invitation.ts";
import { readEmail } from "../../../domain/auth/user.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { later, tooMany } from "../../auth/answers.ts";
import { email, id, role } from "../../auth/fields.ts";
import { mailInvitation, trustedOrigin } from "../../auth/mails.ts";
import { emptyOutput } from "../../auth/outputs.ts";
import { conflict, Refusal } from "../../sites/actions/refusal.ts";
import { timeText } from "../../sites/outputs/output-fields.ts";
import { invitationOutput, invitationView, memberOutput, memberView } from "../../sites/outputs/team-view.ts";
import { EVERYBODY, OWNERS } from "../access.ts";
import { action, type PortalAction, type PortalCall } from "../action.ts";

const showTeam = action({
  path: "GET /team",
  summary: "Lists the account's users and open invitations.",
  ofClient: true,
  roles: EVERYBODY,
  input: z.object({}),
  output: z
    .strictObject({ members: z.array(memberOutput).readonly(), invitations: z.array(invitationOutput).readonly() })
    .meta({ id: "Team" }),
  handler: async ({ deps, session }) => {
    const { members, invitations } = await readTeam(deps.auth, session.accountId);
    return { members: members.map(memberView), invitations: invitations.map(invitationView) };
  },
});

const owners = { roles: OWNERS, proof: "recent" } as const;

const inviteMember = action({
  ...owners,
  path: "POST /team/invitations",
  summary: "Invites a user by a link that works once.",
  ofClient: true,
  input: z.strictObject({ email, role }),
  output: z.strictObject({ link: z.string(), expires_at: timeText }).meta({ id: "NewInvitation" }),
  handler: async (call) => {
    const { deps, session, input, origin } = call;
    const throttled = await countAttempts(deps.auth, [{ scope: "invitation", key: readEmail(input.email) ?? input.email }]);
    if (throttled) return tooMany(throttled);
    const made = await invite(deps.auth, personActor("portal", session.userId), { accountId: session.accountId, ...input });
    if (made.kind === "invalid_email")
      return new Refusal("invalid_request", "This is not an email address.", { fields: { email: "Must be an email address." } });
    if (made.kind !== "done") return notChanged(made);
    mailLink(call, made);
    return { link: invitationLink("portal", origin, made.token), expires_at: indiaDateTime(made.expiresAt.getTime()) };
  },
});

type Made = { readonly email: string; readonly accountName: string; readonly token: string };

/** Without an address that the link may lead to, nothing is mailed. The inviting member is shown the link and passes it on. */
function mailLink({ deps, session, origin: site }: Pick<PortalCall, "deps" | "session" | "origin">, { email, accountName, token }: Made) {
  const origin = trustedOrigin(deps, site);
  if (origin === null) return;
  const link = invitationLink("portal", origin, token);
  later(deps)(mailInvitation(deps.mail, { to: email, accountName, link, invitedBy: session.name, language: session.language }));
}

const revokeMemberInvitation = action({
  ...owners,
  path: "POST /team/invitations/:invitation_id/revoke",
  summary: "Revokes an invitation.",
  ofClient: true,
  input: z.strictObject({ invitation_id: id }),
  output: emptyOutput,
  handler: async ({ deps, session: { accountId, userId }, input }) => {
    const invitation = { accountId, invitationId: input.invitation_id };
    return changed(await revokeInvitation(deps.auth, personActor("portal", userId), invitation));
  },
});

const memberInput = z.strictObject({ user_id: id });

const changeRole = action({
  ...owners,
  path: "POST /team/:user_id/role",
  summary: "Changes a member's role.",
  ofClient: true,
  input: memberInput.extend({ role }),
  output: emptyOutput,
  handler: async (call) => changed(await change(call, { role: call.input.role })),
});

const disableMember = action({
  ...owners,
  path: "POST /team/:user_id/disable",
  summary: "Disables a member.",
  ofClient: true,
  input: memberInput,
  output: emptyOutput,
  handler: async (call) => changed(await change(call, { disabled: true })),
});

const enableMember = action({
  ...owners,
  path: "POST /team/:user_id/enable",
  summary: "Enables a member.",
  ofClient: true,
  input: memberInput,
  output: emptyOutput,
  handler: async (call) => changed(await change(call, { disabled: false })),
});

const createLink = action({
  ...owners,
  path: "POST /team/:user_id/password-link",
  summary: "Creates a link with which a member who is not an owner chooses a new password. It is shown once.",
  ofClient: true,
  input: memberInput,
  output: z.strictObject({ link: z.string(), expires_at: timeText }).meta({ id: "PasswordLink" }),
  handler: async ({ deps, session: { accountId, userId }, input, origin }) => {
    // An owner's password gives everything, so only the platform's staff create a link for it.
    const member = { accountId, userId: input.user_id, mayHelp: (ofMember: string) => ofMember !== "owner" };
    const made = await createPasswordLink(deps.auth, personActor("portal", userId), member);
    if (made.kind === "not_allowed") return conflict("For an owner, ask your account manager for a link.");
    if (made.kind !== "done") return notChanged(made);
    return { link: resetLink("portal", origin, made.token), expires_at: indiaDateTime(made.expiresAt.getTime()) };
  },
});

const setEmergency = action({
  ...owners,
  path: "POST /team/:user_id/break-glass",
  summary: "Marks a member as emergency account, which keeps its password while single sign-on is enforced, or removes the mark.",
  ofClient: true,
  input: memberInput.extend({ break_glass: z.boolean() }),
  output: emptyOutput,
  handler: async ({ deps, session, input }) => {
    const member = { accountId: session.accountId, userId: input.user_id };
    return changed(await setBreakGlass(deps.auth, personActor("portal", session.userId), member, input.break_glass));
  },
});

const unlinkMember = action({
  ...owners,
  path: "POST /team/:user_id/unlink-identity",
  summary: "Unlinks a member from their identity at the identity provider. The next sign-in links a new one.",
  ofClient: true,
  input: memberInput,
  output: emptyOutput,
  handler: async ({ deps, session, input }) => {
    const member = { accountId: session.accountId, userId: input.user_id };
    return changed(await unlinkIdentity(deps.auth, personActor("portal", session.userId), member));
  },
});

async function change(
  { deps, session, input }: PortalCall<{ readonly user_id: string }>,
  to: Parameters<typeof changeMember>[3],
): Promise<Done | NotFound | Conflict> {
  return await changeMember(deps.auth, personActor("portal", session.userId), { accountId: session.accountId, userId: input.user_id }, to);
}

function changed(result: Done | NotFound | Conflict): z.output<typeof emptyOutput> | Refusal {
  return result.kind === "done" ? {} : notChanged(result);
}

function notChanged(result: NotFound | Conflict): Refusal {
  return result.kind === "conflict" ? conflict(result.reason) : new Refusal("not_found", "There is no such member or invitation.");
}

/** The users of the account. */
export const teamActions: readonly PortalAction[] = [
  showTeam,
  inviteMember,
  revokeMemberInvitation,
  changeRole,
  disableMember,
  enableMember,
  createLink,
  setEmergency,
  unlinkMember,
];
