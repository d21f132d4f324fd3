import { z } from "zod";
import { requestPasswordReset, resetPassword } from "../../domain/auth/passwords/reset-password.ts";
import { countAttempts } from "../../domain/auth/sessions/throttle.ts";
import { acceptInvitation, lookUpInvitation } from "../../domain/auth/team/accept-invitation.ts";
import { ANY_EMAIL } from "../../domain/auth/team/invite.ts";
import { indiaDateTime } from "../../platform/core/india-time.ts";
import { conflict, Refusal } from "../sites/actions/refusal.ts";
import { type AuthAction, type PublicCall, publicAction } from "./action.ts";
import { browserOf, later, tooMany, weak, welcome } from "./answers.ts";
import { email, linkToken, password, personName } from "./fields.ts";
import { canMailLinks, mailReset, trustedOrigin } from "./mails.ts";
import { emptyOutput, openInvitationOutput, signInOutput } from "./outputs.ts";

const INVALID_INVITATION = new Refusal("not_found", "This invitation has been used or revoked, or has expired. Ask for a new one.");
const NO_EMAIL = new Refusal("invalid_request", "This is not an email address.", { fields: { email: "Must be an email address." } });
const INVALID_RESET_LINK = new Refusal("not_found", "This link has been used or has expired. Ask for a new one.");

// A POST, because a URL with the token would be stored in proxy logs.
const showInvitation = publicAction({
  path: "POST /invitations/lookup",
  summary: "Shows an invitation by its link.",
  roles: "anyone",
  input: z.object({ token: linkToken }),
  output: openInvitationOutput,
  handler: async ({ deps, input }) => {
    const found = await lookUpInvitation(deps.auth, input.token);
    if (!found) return INVALID_INVITATION;
    const { email: invited, account_name, role, expires_at } = found;
    return { email: invited === ANY_EMAIL ? null : invited, account_name, role, expires_at: indiaDateTime(expires_at.getTime()) };
  },
});

const accept = publicAction({
  path: "POST /invitations/accept",
  summary: "Creates the invited user and signs them in.",
  roles: "anyone",
  input: z.strictObject({ token: linkToken, email: email.optional(), name: personName, password }),
  output: signInOutput,
  handler: async (call) => {
    const result = await acceptInvitation(call.deps.auth, { ...call.input, browser: browserOf(call) });
    if (result.kind === "refused") return INVALID_INVITATION;
    if (result.kind === "weak") return weak("password", result);
    if (result.kind === "invalid_email") return NO_EMAIL;
    return result.kind === "conflict" ? conflict(result.reason) : welcome(result, result.stage);
  },
});

const NO_MAIL = conflict("This installation sends no email, so no link was sent. Ask the people who run it to set up a mail server.");

type ResetCall = PublicCall<{ readonly email: string }>;

// The reply is the same for known and unknown addresses and does not wait for the rest.
const askForReset = publicAction({
  path: "POST /password/reset-request",
  summary: "Emails a link for a new password, if there is such a user.",
  roles: "anyone",
  input: z.strictObject({ email }),
  output: emptyOutput,
  handler: async (call) => {
    const throttled = await countAttempts(call.deps.auth, [{ scope: "stranger", key: call.address }]);
    if (throttled) return tooMany(throttled);
    if (!canMailLinks(call.deps, call.origin)) return NO_MAIL;
    later(call.deps)(sendReset(call));
    return {};
  },
});

async function sendReset({ deps, input, address, origin: site }: ResetCall): Promise<void> {
  const origin = trustedOrigin(deps, site);
  if (origin === null) throw new Error("No reset can be mailed: set CORPRAIL_PUBLIC_URL to the address of the site.");
  const reset = await requestPasswordReset(deps.auth, input.email, address);
  if (reset)
    await mailReset(deps.mail, {
      realm: deps.auth.realm,
      to: reset.email,
      name: reset.name,
      language: reset.language,
      origin,
      token: reset.token,
    });
}

const reset = publicAction({
  path: "POST /password/reset",
  summary: "Sets a new password with a mailed link.",
  roles: "anyone",
  input: z.strictObject({ token: linkToken, password }),
  output: emptyOutput,
  handler: async ({ deps, input }) => {
    const result = await resetPassword(deps.auth, input.token, input.password);
    if (result.kind === "refused") return INVALID_RESET_LINK;
    return result.kind === "weak" ? weak("password", result) : {};
  },
});

/** Invitation and password reset links, used before sign-in. */
export const invitationActions: readonly AuthAction[] = [showInvitation, accept, askForReset, reset];
