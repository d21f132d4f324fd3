/** Why an action was not carried out. A class, so that it cannot be confused with an action's output. */
export class RefusalOf<Name extends string> {
  readonly error: Name;
  readonly message: string;
  readonly fields: Readonly<Record<string, string>> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    error: Name,
    message: string,
    more: { readonly fields?: Readonly<Record<string, string>>; readonly retryAfterSeconds?: number } = {},
  ) {
    this.error = error;
    this.message = message;
    this.fields = more.fields;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

type SiteErrorName =
  | "invalid_request"
  | "unauthorized"
  | "forbidden"
  | "step_up_required"
  | "not_found"
  | "conflict"
  | "too_many_tries"
  | "internal_error"
  | "busy";

/** A refusal of the portal, or of a sign-in or security action. */
export class Refusal extends RefusalOf<SiteErrorName> {}

export function conflict(reason: string): Refusal {
  return new Refusal("conflict", reason);
}

export function noSuch(what: string): Refusal {
  return new Refusal("not_found", `There is no such ${what}.`);
}

export function wrongFields(fields: Readonly<Record<string, string>>): Refusal {
  return new Refusal("invalid_request", `Not valid: ${Object.keys(fields).join(", ")}.`, { fields });
}
