import { actionText as anyActionText } from "../../auth/audit.ts";

export type AuditEntry = {
  readonly seq: number | string;
  readonly at: string;
  readonly actor_name: string;
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
};

/** Of what is said about the account's own people, whose they are goes without saying. */
export function actionText(action: string): string {
  return anyActionText(action.replace(/^portal_user[._]/, ""));
}
