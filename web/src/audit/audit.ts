import { auditText } from "../messages/en/audit.ts";
import type { Schemas as OperatorSchemas } from "../operator-api.ts";
import type { Schemas } from "../portal-api.ts";
import { ApiError } from "../ui/api.ts";

/** An entry of the audit log, as either site shows it. */
export type AuditEntry = Schemas["AuditEntry"] | OperatorSchemas["AuditEntry"];

/** The label of an audit action: "signing_secret_replaced" → "Signing secret replaced". */
export function actionText(action: string): string {
  // The log keeps the name under which price rules were first recorded.
  const words = action.replace(/^commercial(?=$|[._])/, "price_rule").replaceAll(/[._]/g, " ");
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
