import type { Schemas } from "../portal-api.ts";

type Sent = Pick<Schemas["CallbackTest"], "delivered" | "http_status" | "error">;

/** A receiver's response in one sentence. */
export function responseText({ delivered, http_status: status, error }: Sent): string {
  if (delivered) return `Your receiver responded with ${status}.`;
  return status === null ? `Your receiver did not respond: ${error}` : `${error} Only a 2xx response counts as delivered.`;
}
