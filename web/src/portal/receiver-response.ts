export type Sent = { readonly delivered: boolean; readonly http_status: number | null; readonly error: string | null };

/** A receiver's response in one sentence. */
export function responseText({ delivered, http_status: status, error }: Sent): string {
  if (delivered) return `Your receiver responded with ${status}.`;
  return status === null ? `Your receiver did not respond: ${error}` : `${error} Only a 2xx response counts as delivered.`;
}
