import { RefusalOf } from "../sites/actions/refusal.ts";
import { NO_CURSOR, type Page } from "../sites/lists.ts";
import type { ErrorName, Fields } from "./errors.ts";

/** Why an action of the operator API was not carried out. */
export type Refusal = RefusalOf<ErrorName>;
export const Refusal = RefusalOf<ErrorName>;

export { conflict, noSuch } from "../sites/actions/refusal.ts";

export function wrongFields(fields: Fields): Refusal {
  const names = Object.keys(fields);
  const message = `The request has ${names.length === 1 ? "a wrong field" : "wrong fields"}: ${names.join(", ")}.`;
  return new Refusal("invalid_request", message, { fields });
}

/** Refuses an invalid `after` parameter. */
export function pageOrRefusal<Item>(page: Page<Item> | null): Page<Item> | Refusal {
  return page ?? wrongFields({ after: NO_CURSOR });
}
