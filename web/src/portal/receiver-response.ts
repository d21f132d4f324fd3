export type Sent = { readonly delivered: boolean; readonly http_status: number | null; readonly error: string | null };

/** How a receiver answered, in one sentence. */
export function responseText({ delivered, http_status: status, error }: Sent): string {
  if (delivered) return `Your receiver answered ${status}.`;
  return status === null ? `There was no answer: ${error}` : `${error} Only 2xx counts as delivered.`;
}
