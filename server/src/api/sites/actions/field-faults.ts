import type { z } from "zod";

/** What a schema has found; `errors` are the issues of each option of a union. */
type Issue = { readonly message: string; readonly errors?: readonly (readonly Issue[])[] };

// The library's message for a union without one of its own.
const GENERIC_MESSAGE = "Invalid input";

/** What is wrong with each field of a request, by the field's path. */
export function fieldFaults(error: z.ZodError): Readonly<Record<string, string>> {
  const faults: Record<string, string> = {};
  for (const issue of error.issues) faults[issue.path.join(".") || "body"] ??= faultText(issue);
  return faults;
}

/** For a union, the message of its last option: the first option of a filter is the empty text. */
export function faultText({ message, errors }: Issue): string {
  const wanted = errors?.at(-1)?.[0];
  return message === GENERIC_MESSAGE && wanted ? faultText(wanted) : message;
}
