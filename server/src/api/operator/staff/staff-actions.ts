import { z } from "zod";
import type { Conflict, Done, NotFound } from "../../../domain/accounts/context.ts";
import { resetFactors } from "../../../domain/auth/factors/reset-factors.ts";
import { setBreakGlass, unlinkIdentity } from "../../../domain/auth/single-sign-on/break-glass.ts";
import { changeMember } from "../../../domain/auth/team/change-member.ts";
import { invite } from "../../../domain/auth/team/invite.ts";
import { invitationLink } from "../../../domain/auth/team/links.ts";
import { revokeInvitation } from "../../../domain/auth/team/revoke-invitation.ts";
import { STAFF_ROLES } from "../../../domain/auth/user.ts";
import { ADMINS, EVERYBODY } from "../access.ts";
import { type Action, type ActionCall, action } from "../action.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { id, noBody, reason } from "../fields.ts";
import { confinedKeyRefusal } from "../keys/confined-key.ts";
import { conflict, noSuch, type Refusal, wrongFields } from "../refusal.ts";
import { siteAddress } from "../site-address.ts";
import { invitedOutput, invitedView, teamOutput, teamView } from "./outputs.ts";

const staffParams = z.object({ user_id: id });
const staffInvitationParams = z.object({ invitation_id: id });
const staffInvitationBody = z.strictObject({ email: z.string().max(320), role: z.enum(STAFF_ROLES), reason });
const staffRoleBody = z.strictObject({ role: z.enum(STAFF_ROLES), reason });

const showStaff = action({
  path: "GET /staff",
  summary: "Lists the members of staff and the open invitations.",
  roles: EVERYBODY,
  output: teamOutput,
  handler: async ({ deps }) => await teamView(deps.staff, null),
});

// The first member is invited with an operator key.
const inviteStaff = action({
  path: "POST /staff/invitations",
  summary: "Invites a person to the console. The reply shows the link, once.",
  roles: ADMINS,
  proof: "recent",
  body: staffInvitationBody,
  output: invitedOutput,
  status: 201,
  handler: async ({ deps, caller, body, request }) => {
    const confined = confinedKeyRefusal(caller);
    if (confined !== null) return confined;
    const { actor, person } = caller;
    const invited = await invite(deps.staff, actor, { accountId: null, ...body, person });
    if (invited.kind === "invalid_email") return wrongFields({ email: "Must be an email address." });
    if (invited.kind === "conflict") return conflict(invited.reason);
    if (invited.kind === "not_found") return conflict("The current state does not allow this.");
    return invitedView(invitationLink("console", siteAddress(deps, "console", request), invited.token), invited);
  },
});

const revokeStaffInvitation = action({
  path: "POST /staff/invitations/:invitation_id/revoke",
  summary: "Revokes an invitation to the console.",
  roles: ADMINS,
  proof: "recent",
  params: staffInvitationParams,
  body: noBody,
  output: teamOutput,
  handler: async ({ deps, actor, params, body }) => {
    const invitation = { accountId: null, invitationId: params.invitation_id, ...body };
    return await changedStaff(deps, await revokeInvitation(deps.staff, actor, invitation));
  },
});

const memberChange = { roles: ADMINS, proof: "recent", params: staffParams, output: teamOutput } as const;

const changeRole = action({
  ...memberChange,
  path: "POST /staff/:user_id/role",
  summary: "Gives a member of staff another role.",
  body: staffRoleBody,
  handler: async (call) =>
    confinedKeyRefusal(call.caller) ??
    (await changedStaff(call.deps, await changeMember(call.deps.staff, call.actor, memberOf(call), { role: call.body.role }))),
});

const disableMember = action({
  ...memberChange,
  path: "POST /staff/:user_id/disable",
  summary: "Disables a member of staff, who is signed out everywhere at once.",
  body: noBody,
  handler: async (call) =>
    await changedStaff(call.deps, await changeMember(call.deps.staff, call.actor, memberOf(call), { disabled: true })),
});

const enableMember = action({
  ...memberChange,
  path: "POST /staff/:user_id/enable",
  summary: "Enables a disabled member of staff.",
  body: noBody,
  handler: async (call) =>
    confinedKeyRefusal(call.caller) ??
    (await changedStaff(call.deps, await changeMember(call.deps.staff, call.actor, memberOf(call), { disabled: false }))),
});

const resetSecondFactor = action({
  ...memberChange,
  path: "POST /staff/:user_id/reset-second-factor",
  summary: "Removes the second factors of a member of staff who has lost them.",
  body: noBody,
  handler: async (call) =>
    confinedKeyRefusal(call.caller) ?? (await changedStaff(call.deps, await resetFactors(call.deps.staff, call.actor, memberOf(call)))),
});

const setEmergency = action({
  ...memberChange,
  path: "POST /staff/:user_id/break-glass",
  summary: "Marks a member of staff as emergency account, which keeps its password while single sign-on is enforced, or removes the mark.",
  body: noBody.extend({ break_glass: z.boolean() }),
  handler: async (call) =>
    (call.body.break_glass ? confinedKeyRefusal(call.caller) : null) ??
    (await changedStaff(call.deps, await setBreakGlass(call.deps.staff, call.actor, memberOf(call), call.body.break_glass))),
});

const unlinkStaff = action({
  ...memberChange,
  path: "POST /staff/:user_id/unlink-identity",
  summary: "Unlinks a member of staff from their identity at the identity provider. The next sign-in links a new one.",
  body: noBody,
  handler: async (call) =>
    confinedKeyRefusal(call.caller) ?? (await changedStaff(call.deps, await unlinkIdentity(call.deps.staff, call.actor, memberOf(call)))),
});

function memberOf({ caller, params, body }: ActionCall<typeof staffParams, z.ZodUndefined, typeof noBody>) {
  return { accountId: null, userId: params.user_id, byPerson: caller.person, reason: body.reason };
}

async function changedStaff(
  deps: OperatorApiDependencies,
  result: Done | NotFound | Conflict,
): Promise<z.output<typeof teamOutput> | Refusal> {
  if (result.kind === "not_found") return noSuch("member of the staff, or invitation");
  return result.kind === "conflict" ? conflict(result.reason) : await teamView(deps.staff, null);
}

/** Staff of the platform. */
export const staffActions: readonly Action[] = [
  showStaff,
  inviteStaff,
  revokeStaffInvitation,
  changeRole,
  disableMember,
  enableMember,
  resetSecondFactor,
  setEmergency,
  unlinkStaff,
];
