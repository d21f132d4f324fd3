import type { CorprailError } from "@corprail/sdk";
import { failed, type Outcome } from "./outcome.ts";

/** A refusal of the service, or of something in between, with its message and fields. */
export function refusal(error: CorprailError): Outcome {
  const { error: reason, code, httpStatus, requestId, fields, customerRefund } = error;
  const found = { reason, code, http_status: httpStatus, request_id: requestId, customer_refund: customerRefund };
  const wrong = Object.entries(fields).map(([name, why]) => `\n  ${name}: ${why}`);
  return failed(`${error.message}${wrong.join("")}`, { ...found, ...(wrong.length === 0 ? {} : { fields }) });
}
