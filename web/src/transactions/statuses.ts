import { transactionsText } from "../messages/en/transactions.ts";
import type { Schemas } from "../portal-api.ts";
import type { Option } from "../ui/forms/field.tsx";

/** Order statuses as pages name them. FAILED after SUCCESS reads "Reversed". */
export type ShownStatus = Schemas["Transaction"]["shown"];

const LABELS: Readonly<Record<ShownStatus, string>> = {
  SUCCESS: transactionsText.success,
  FAILED: transactionsText.failed,
  pending: transactionsText.pending,
  Reversed: transactionsText.reversed,
};

export const STATUS_OPTIONS: readonly Option[] = Object.entries(LABELS).map(([value, label]) => ({ value, label }));

/** The status of that name, if there is one. */
export function readStatus(text: string | undefined): ShownStatus | undefined {
  return (Object.keys(LABELS) as ShownStatus[]).find((status) => status === text);
}
