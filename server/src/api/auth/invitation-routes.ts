import { z } from "zod";
import { requestPasswordReset, resetPassword } from "../../domain/auth/passwords/reset-password.ts";
import { countAttempts } from "../../domain/auth/sessions/throttle.ts";
import { acceptInvitation, lookUpInvitation } from "../../domain/auth/team/accept-invitation.ts";
import { ANY_EMAIL } from "../../domain/auth/team/invite.ts";
import { indiaDateTime } from "../../platform/core/india-time.ts";
import { fault, json, publicRoute, type SiteAnswer, type SiteRoute, type SiteSession, type Visit } from "../sites/route.ts";
import { browserOf, later, tooMany, weak, welcome } from "./answers.ts";
import type { AuthApiContext, AuthTools } from "./context.ts";
import { email, linkToken, password, personName } from "./fields.ts";
import { mailReset, trustedOrigin } from "./mails.ts";

const DEAD_INVITATION = fault("not_found", "This invitation was used, taken back or is too old. Ask for a new one.");
const NO_EMAIL = fault("invalid_request", "This is not an e-mail address.", { fields: { email: "Must be an e-mail address." } });
const DEAD_RESET = fault("not_found", "This link has been used or has expired. Ask for a new one.");

/** Routes for invitation and password reset links, used before sign-in. */
export function invitationRoutes<Who extends SiteSession>(ctx: AuthApiContext<Who>): readonly SiteRoute<Who>[] {
  return [
    publicRoute({
      // A POST, because a URL with the token would be stored in proxy logs.
      method: "POST",
      path: "/invitations/lookup",
      does: "Shows an invitation by its link",
      who: "anyone",
      input: z.object({ token: linkToken }),
      handle: async ({ input }) => {
        const found = await lookUpInvitation(ctx.auth, input.token);
        if (!found) return DEAD_INVITATION;
        const { email: invited, account_name, role, expires_at } = found;
        return json({ email: invited === ANY_EMAIL ? null : invited, account_name, role, expires_at: indiaDateTime(expires_at.getTime()) });
      },
    }),
    publicRoute({
      method: "POST",
      path: "/invitations/accept",
      does: "Creates the invited user and signs them in",
      who: "anyone",
      input: z.strictObject({ token: linkToken, email: email.optional(), name: personName, password }),
      handle: async (visit) => {
        const result = await acceptInvitation(ctx.auth, { ...visit.input, browser: browserOf(visit) });
        if (result.kind === "refused") return DEAD_INVITATION;
        if (result.kind === "weak") return weak("password", result);
        if (result.kind === "invalid_email") return NO_EMAIL;
        return result.kind === "conflict" ? fault("conflict", result.reason) : welcome(result, result.stage);
      },
    }),
    publicRoute({
      method: "POST",
      path: "/password/reset-request",
      does: "Mails a link for a new password, if there is such a user",
      who: "anyone",
      input: z.strictObject({ email }),
      handle: (visit) => askForReset(ctx, visit),
    }),
    publicRoute({
      method: "POST",
      path: "/password/reset",
      does: "Sets a new password with a mailed link",
      who: "anyone",
      input: z.strictObject({ token: linkToken, password }),
      handle: async ({ input }) => {
        const result = await resetPassword(ctx.auth, input.token, input.password);
        if (result.kind === "refused") return DEAD_RESET;
        return result.kind === "weak" ? weak("password", result) : json({});
      },
    }),
  ];
}

// The reply is the same for known and unknown addresses and does not wait for the rest.
async function askForReset(ctx: AuthTools, visit: Visit<{ readonly email: string }, SiteSession | null>): Promise<SiteAnswer> {
  const throttled = await countAttempts(ctx.auth, [{ scope: "stranger", key: visit.address }]);
  if (throttled) return tooMany(throttled);
  later(ctx)(sendReset(ctx, visit));
  return json({});
}

async function sendReset(ctx: AuthTools, visit: Visit<{ readonly email: string }, SiteSession | null>): Promise<void> {
  const origin = trustedOrigin(ctx, visit.origin);
  if (origin === null) throw new Error("No reset can be mailed: set CORPRAIL_PUBLIC_URL to the address of the site.");
  const reset = await requestPasswordReset(ctx.auth, visit.input.email, visit.address);
  if (reset) await mailReset(ctx.mail, { realm: ctx.auth.realm, to: reset.email, name: reset.name, origin, token: reset.token });
}
