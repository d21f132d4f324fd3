import type { Refusal } from "../../domain/shared/refusals.ts";
import { type Fault, fault } from "./route.ts";

/** What the client API would refuse, in the portal's words. */
export function refusedFault({ error, message, fields }: Refusal): Fault {
  if (error === "not_found") return fault("not_found", message);
  if (error === "invalid_request") return fault("invalid_request", message, fields ? { fields } : {});
  return fault("conflict", message);
}
