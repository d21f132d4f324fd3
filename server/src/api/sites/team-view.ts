import type { InvitationRow, MemberRow } from "../../domain/auth/store.ts";
import { indiaDateTime } from "../../platform/core/india-time.ts";

/** A user of an account or a staff member, as both sites show them. */
export function memberView(row: MemberRow) {
  return {
    user_id: row.user_id,
    email: row.email,
    name: row.name,
    role: row.role,
    status: row.disabled_at === null ? "active" : "disabled",
    second_factor: row.second_factor,
    last_seen_at: row.last_seen_at && indiaDateTime(row.last_seen_at.getTime()),
  };
}

export function invitationView(row: InvitationRow) {
  return {
    invitation_id: row.invitation_id,
    email: row.email,
    role: row.role,
    created_at: indiaDateTime(row.created_at.getTime()),
    expires_at: indiaDateTime(row.expires_at.getTime()),
  };
}
