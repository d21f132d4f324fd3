import type { Page } from "../sites/lists.ts";
import { NO_CURSOR } from "../sites/lists.ts";
import type { ErrorName, Fields } from "./errors.ts";

/** Why an action was not carried out. A class, so that it cannot be confused with an action's output. */
export class Refusal {
  readonly error: ErrorName;
  readonly message: string;
  readonly fields: Fields | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(error: ErrorName, message: string, more: { readonly fields?: Fields; readonly retryAfterSeconds?: number } = {}) {
    this.error = error;
    this.message = message;
    this.fields = more.fields;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

export function conflict(reason: string): Refusal {
  return new Refusal("conflict", reason);
}

export function noSuch(what: string): Refusal {
  return new Refusal("not_found", `There is no such ${what}.`);
}

export function wrongFields(fields: Fields): Refusal {
  const names = Object.keys(fields);
  const message = `The request has ${names.length === 1 ? "a wrong field" : "wrong fields"}: ${names.join(", ")}.`;
  return new Refusal("invalid_request", message, { fields });
}

/** Refuses an invalid `after` parameter. */
export function pageOrRefusal<Item>(page: Page<Item> | null): Page<Item> | Refusal {
  return page ?? wrongFields({ after: NO_CURSOR });
}
