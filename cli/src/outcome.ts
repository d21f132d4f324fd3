/** Documented in docs/cli.md: scripts rely on them. */
export const EXIT_CODES = { ok: 0, failed: 1, usage: 2 } as const;

/** What a command ends with: words for a person, fields for a program. */
export type Outcome = {
  readonly ok: boolean;
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** What was found, for a person; shown whether that is good or bad. */
  readonly report: string | null;
};

export function done(text: string, fields: Outcome["fields"], report: string | null = null): Outcome {
  return { ok: true, text, fields, report };
}

export function failed(text: string, fields: Outcome["fields"] = {}, report: string | null = null): Outcome {
  return { ok: false, text, fields: { error: text, ...fields }, report };
}

/** A connection refused on every address of a name has no message of its own, only a code. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== "") return error.message;
  return "code" in error ? String(error.code) : error.name;
}
