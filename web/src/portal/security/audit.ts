import { actionText as anyActionText } from "../../auth/audit.ts";
import type { Schemas } from "../../portal-api.ts";

export type AuditEntry = Schemas["AuditEntry"];

/** Drops the "portal_user" prefix, because every user in this list is a portal user. */
export function actionText(action: string): string {
  return anyActionText(action.replace(/^portal_user[._]/, ""));
}
