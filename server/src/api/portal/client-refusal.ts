import type * as client from "../../domain/shared/refusals.ts";
import { conflict, Refusal } from "../sites/actions/refusal.ts";

/** A refusal of the client API as the portal shows it. */
export function clientRefusal({ error, message, fields }: client.Refusal): Refusal {
  if (error === "not_found") return new Refusal("not_found", message);
  if (error === "invalid_request") return new Refusal("invalid_request", message, fields ? { fields } : {});
  return conflict(message);
}
