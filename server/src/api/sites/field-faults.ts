import type { z } from "zod";

/** What a schema has found; `errors` are the issues of each option of a union. */
type Issue = { readonly message: string; readonly errors?: readonly (readonly Issue[])[] };

// What the library says of a union without a message of its own.
const SAYS_NOTHING = "Invalid input";

/** What is wrong with each field of a request, by the field's path. */
export function fieldFaults(error: z.ZodError): Readonly<Record<string, string>> {
  const faults: Record<string, string> = {};
  for (const issue of error.issues) faults[issue.path.join(".") || "body"] ??= faultText(issue);
  return faults;
}

/** Of a union, the last option is described: filters have the empty text as their first one, which nobody wants to send. */
export function faultText({ message, errors }: Issue): string {
  const wanted = errors?.at(-1)?.[0];
  return message === SAYS_NOTHING && wanted ? faultText(wanted) : message;
}
