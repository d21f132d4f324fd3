import type { Refusal } from "../../domain/shared/refusals.ts";
import { type Fault, fault } from "./route.ts";

/** Converts a refusal of the client API to a fault of the portal. */
export function refusedFault({ error, message, fields }: Refusal): Fault {
  if (error === "not_found") return fault("not_found", message);
  if (error === "invalid_request") return fault("invalid_request", message, fields ? { fields } : {});
  return fault("conflict", message);
}
