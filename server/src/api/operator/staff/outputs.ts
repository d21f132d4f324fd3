import { z } from "zod";
import type { AuthContext } from "../../../domain/auth/context.ts";
import type { Invited } from "../../../domain/auth/team/invite.ts";
import { readTeam } from "../../../domain/auth/team/read-team.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { timeText } from "../../sites/outputs/output-fields.ts";
import { invitationOutput, invitationView, memberOutput, memberView } from "../../sites/outputs/team-view.ts";

/** All members of a team, staff or the users of an account, and its open invitations. */
export const teamOutput = z
  .strictObject({
    ok: z.literal(true),
    items: z.array(memberOutput).readonly(),
    invitations: z.array(invitationOutput).readonly(),
    next: z.null().describe("The list has one page."),
  })
  .meta({ id: "Team" });

/** The link of a new invitation. Nothing shows it again. */
export const invitedOutput = z.strictObject({ invitation_url: z.string(), expires_at: timeText }).meta({ id: "NewInvitation" });

/** Null shows staff. */
export async function teamView(auth: AuthContext, accountId: string | null): Promise<z.output<typeof teamOutput>> {
  const { members, invitations } = await readTeam(auth, accountId);
  return { ok: true, items: members.map(memberView), invitations: invitations.map(invitationView), next: null };
}

export function invitedView(invitationUrl: string, { expiresAt }: Invited): z.output<typeof invitedOutput> {
  return { invitation_url: invitationUrl, expires_at: indiaDateTime(expiresAt.getTime()) };
}
