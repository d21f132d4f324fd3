import { portalText } from "../messages/en/portal.ts";
import { fill } from "../messages/fill.ts";
import type { Schemas } from "../portal-api.ts";

type Sent = Pick<Schemas["CallbackTest"], "delivered" | "http_status" | "error">;

/** A receiver's response in one sentence. */
export function responseText({ delivered, http_status: status, error }: Sent): string {
  if (delivered) return fill(portalText.yourReceiverRespondedWith, { status: String(status) });
  return status === null
    ? fill(portalText.yourReceiverDidNotRespond, { error: error ?? "" })
    : fill(portalText.onlyA2xxResponseCounts, { error: error ?? "" });
}
