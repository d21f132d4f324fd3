export type AuditEntry = {
  readonly seq: number | string;
  readonly at: string;
  readonly actor_name: string;
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
};

/** "signing_secret_replaced" → "Signing secret replaced" */
export function actionText(action: string): string {
  const words = action.replace(/^portal_user[._]/, "").replaceAll(/[._]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
