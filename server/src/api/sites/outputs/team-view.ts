import { z } from "zod";
import type { InvitationRow, MemberRow } from "../../../domain/auth/store.ts";
import { ROLES, STAFF_ROLES } from "../../../domain/auth/user.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { timeText } from "./output-fields.ts";

/** A role of either site. They have one role of the same name. */
export const anyRole = z.enum([...new Set([...ROLES, ...STAFF_ROLES])]).describe("A role of the portal, or of the console for staff.");

/** A user of an account or a staff member, as both sites show them. */
export const memberOutput = z
  .strictObject({
    user_id: z.string(),
    email: z.string(),
    name: z.string(),
    role: anyRole,
    status: z.enum(["active", "disabled"]),
    second_factor: z.boolean().describe("Whether the user has set one up."),
    single_sign_on: z.boolean().describe("Whether the user has signed in through the identity provider."),
    break_glass: z.boolean().describe("Whether it is an emergency account, which keeps its password while single sign-on is enforced."),
    last_seen_at: timeText.nullable(),
  })
  .meta({ id: "Member" });

/** An invitation that is neither used nor expired. */
export const invitationOutput = z
  .strictObject({ invitation_id: z.string(), email: z.string(), role: anyRole, created_at: timeText, expires_at: timeText })
  .meta({ id: "Invitation" });

export function memberView(row: MemberRow): z.output<typeof memberOutput> {
  return {
    user_id: row.user_id,
    email: row.email,
    name: row.name,
    role: row.role,
    status: row.disabled_at === null ? "active" : "disabled",
    second_factor: row.second_factor,
    single_sign_on: row.single_sign_on,
    break_glass: row.break_glass,
    last_seen_at: row.last_seen_at && indiaDateTime(row.last_seen_at.getTime()),
  };
}

export function invitationView(row: InvitationRow): z.output<typeof invitationOutput> {
  return {
    invitation_id: row.invitation_id,
    email: row.email,
    role: row.role,
    created_at: indiaDateTime(row.created_at.getTime()),
    expires_at: indiaDateTime(row.expires_at.getTime()),
  };
}
