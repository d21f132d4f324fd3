import { z } from "zod";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { resetFactors } from "../../../domain/auth/factors/reset-factors.ts";
import { createPasswordLink } from "../../../domain/auth/passwords/create-password-link.ts";
import { grantView } from "../../../domain/auth/sessions/view-portal.ts";
import { invite } from "../../../domain/auth/team/invite.ts";
import { invitationLink, resetLink } from "../../../domain/auth/team/links.ts";
import type { Role } from "../../../domain/auth/user.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { timeText } from "../../sites/outputs/output-fields.ts";
import { ADMINS, EVERYBODY, OPERATIONS, SUPPORT } from "../access.ts";
import { type Action, action } from "../action.ts";
import { isOneOf } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { accountParams, id, invitationBody, noBody } from "../fields.ts";
import { conflict, noSuch, Refusal, wrongFields } from "../refusal.ts";
import { siteAddress } from "../site-address.ts";
import { invitedOutput, invitedView, teamOutput, teamView } from "../staff/outputs.ts";

// These roles can replace the account's token and secrets, so inviting one can take over the account.
const CREDENTIAL_ROLES: readonly Role[] = ["owner", "developer"];
const ADMINS_INVITE = "Only an admin can invite an owner or a developer of a client. Ask an admin or an owner of the client.";

const invitePortalUser = action({
  path: "POST /accounts/:account_id/portal-invitations",
  summary: "Invites a user to an account's portal. The reply shows the link, once.",
  roles: OPERATIONS,
  proof: "recent",
  params: accountParams,
  body: invitationBody,
  output: invitedOutput,
  status: 201,
  handler: async ({ deps, caller, actor, params, body, request }) => {
    if (CREDENTIAL_ROLES.includes(body.role) && !isOneOf(caller, ADMINS)) return new Refusal("forbidden", ADMINS_INVITE);
    const invited = await invite(deps.auth, actor, { accountId: params.account_id, ...body });
    if (invited.kind === "not_found") return noSuch("account");
    if (invited.kind === "invalid_email") return wrongFields({ email: "Must be an email address." });
    if (invited.kind === "conflict") return conflict(invited.reason);
    return invitedView(invitationLink("portal", siteAddress(deps, "portal", request), invited.token), invited);
  },
});

const showPortalUsers = action({
  path: "GET /accounts/:account_id/people",
  summary: "Lists the portal users of an account and the open invitations.",
  roles: EVERYBODY,
  params: accountParams,
  output: teamOutput,
  handler: async ({ deps, params }) => await usersOrRefusal(deps, params.account_id),
});

const resetSecondFactor = action({
  path: "POST /accounts/:account_id/people/:user_id/reset-second-factor",
  summary: "Removes the second factors of a portal user who has lost them.",
  roles: OPERATIONS,
  proof: "recent",
  params: accountParams.extend({ user_id: id }),
  body: noBody,
  output: teamOutput,
  handler: async ({ deps, actor, params: { account_id: accountId, user_id: userId }, body }) => {
    const result = await resetFactors(deps.auth, actor, { accountId, userId, ...body });
    return result.kind === "not_found" ? noSuch("person") : await usersOrRefusal(deps, accountId);
  },
});

const ADMINS_HELP = "Only an admin can create a password link for an owner or a developer of a client.";

const createPasswordLinkOfUser = action({
  path: "POST /accounts/:account_id/people/:user_id/password-link",
  summary: "Creates a link with which a portal user chooses a new password, for installations without email. The reply shows it, once.",
  roles: OPERATIONS,
  proof: "recent",
  params: accountParams.extend({ user_id: id }),
  body: noBody,
  output: z.strictObject({ password_url: z.string(), expires_at: timeText }).meta({ id: "PasswordLink" }),
  handler: async ({ deps, caller, actor, params: { account_id: accountId, user_id: userId }, body, request }) => {
    const mayHelp = (role: string) => isOneOf(caller, ADMINS) || !CREDENTIAL_ROLES.some((one) => one === role);
    const made = await createPasswordLink(deps.auth, actor, { accountId, userId, mayHelp, ...body });
    if (made.kind === "not_found") return noSuch("person");
    if (made.kind === "not_allowed") return new Refusal("forbidden", ADMINS_HELP);
    if (made.kind === "conflict") return conflict(made.reason);
    const url = resetLink("portal", siteAddress(deps, "portal", request), made.token);
    return { password_url: url, expires_at: indiaDateTime(made.expiresAt.getTime()) };
  },
});

const viewAsClient = action({
  path: "POST /accounts/:account_id/view-as-client",
  summary: "Creates a link with which the caller can view an account's portal, read-only. It works once.",
  roles: SUPPORT,
  proof: "recent",
  params: accountParams,
  body: noBody,
  output: z.strictObject({ url: z.string(), expires_at: timeText }).meta({ id: "PortalViewLink" }),
  handler: async ({ deps, caller: { staff }, actor, params, body: { reason }, request }) => {
    if (staff === null) return conflict("Only staff can view a client's portal. Sign in at the console.");
    const visitor = { userId: staff.userId, sessionId: staff.sessionId, actor };
    const link = await grantView(deps.staff, visitor, params.account_id, reason);
    if (link.kind === "not_found") return noSuch("account");
    const url = `${siteAddress(deps, "portal", request)}/portal/view#${link.token}`;
    return { url, expires_at: indiaDateTime(link.expiresAt.getTime()) };
  },
});

async function usersOrRefusal(deps: OperatorApiDependencies, accountId: string): Promise<z.output<typeof teamOutput> | Refusal> {
  return (await readAccount(deps, accountId)) ? await teamView(deps.auth, accountId) : noSuch("account");
}

/** Portal users of an account: inviting the first owner, who invites the others, and help for those who cannot sign in. */
export const portalUserActions: readonly Action[] = [
  invitePortalUser,
  showPortalUsers,
  resetSecondFactor,
  createPasswordLinkOfUser,
  viewAsClient,
];
