import { actionText as anyActionText } from "../../auth/audit.ts";

export type AuditEntry = {
  readonly seq: number | string;
  readonly at: string;
  readonly actor_name: string;
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
};

/** Drops the "portal_user" prefix, because every user in this list is a portal user. */
export function actionText(action: string): string {
  return anyActionText(action.replace(/^portal_user[._]/, ""));
}
