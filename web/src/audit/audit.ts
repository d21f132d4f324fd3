import { auditText } from "../messages/en/audit.ts";
import type { Schemas as OperatorSchemas } from "../operator-api.ts";
import type { Schemas } from "../portal-api.ts";
import { ApiError } from "../ui/requests/api.ts";

/** An entry of the audit log, as either site shows it. */
export type AuditEntry = Schemas["AuditEntry"] | OperatorSchemas["AuditEntry"];

const AUTHENTICATOR_APP_ACTIONS: Readonly<Record<string, string>> = {
  totp_started: "authenticator_app_setup_started",
  totp_enabled: "authenticator_app_turned_on",
  totp_disabled: "authenticator_app_turned_off",
};

/** The label of an audit action: "signing_secret_replaced" → "Signing secret replaced". */
export function actionText(action: string): string {
  // The log keeps the names under which price rules, members and authenticator apps were first recorded.
  const words = action
    .replace(/^commercial(?=$|[._])/, "price_rule")
    .replace(/^portal_user(?=$|[._])/, "member")
    .replace(/(?<=^|[._])totp_(?:started|enabled|disabled)$/, (changed) => AUTHENTICATOR_APP_ACTIONS[changed] ?? changed)
    .replaceAll(/[._]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Which page of the log to read. */
export type PageQuery = { readonly after: string; readonly limit: string };

/** Reads one entry. The list is ordered by seq, so the entry is the first after seq + 1. */
export async function readAuditEntry<Entry extends { readonly seq: number | string }>(
  seq: string,
  read: (page: PageQuery) => Promise<{ readonly items: readonly Entry[] }>,
): Promise<Entry> {
  const none = new ApiError(404, "not_found", auditText.thisAuditEntryWasNot);
  if (!/^[0-9]{1,17}$/.test(seq)) throw none;
  const after = btoa(String(BigInt(seq) + 1n)).replaceAll("=", "");
  const { items } = await read({ after, limit: "1" });
  const [entry] = items;
  if (entry === undefined || String(entry.seq) !== seq) throw none;
  return entry;
}
