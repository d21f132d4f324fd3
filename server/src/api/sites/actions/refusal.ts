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
export type Refusal = RefusalOf<SiteErrorName>;
export const Refusal = RefusalOf<SiteErrorName>;

export function conflict(reason: string): RefusalOf<"conflict"> {
  return new RefusalOf("conflict", reason);
}

export function noSuch(what: string): RefusalOf<"not_found"> {
  return new RefusalOf("not_found", `There is no such ${what}.`);
}

export function wrongFields(fields: Readonly<Record<string, string>>): Refusal {
  return new Refusal("invalid_request", `Not valid: ${Object.keys(fields).join(", ")}.`, { fields });
}
