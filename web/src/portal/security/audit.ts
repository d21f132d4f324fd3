import { actionText } from "../../audit/audit.ts";
import { serverText } from "../../messages/server-text.ts";
import type { Schemas } from "../../portal-api.ts";

/** The label of an entry's action, without the "portal_user" prefix, because every user in this list is a member. */
export function entryTitle({ action }: Schemas["AuditEntry"]): string {
  return serverText(actionText(action.replace(/^portal_user[._]/, "")));
}
