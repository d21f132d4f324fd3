/** Documented in docs/cli.md: scripts rely on them. The last two are a transaction's own. */
export const EXIT_CODES = { ok: 0, failed: 1, usage: 2, notCharged: 3, undecided: 4 } as const;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** What a command ends with: words for a person, fields for a program. */
export type Outcome = {
  readonly ok: boolean;
  readonly exitCode: ExitCode;
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** What was found, for a person; shown whether that is good or bad. */
  readonly report: string | null;
  /** New secrets that the command is there to show, this once; anything else that looks like one is taken out. */
  readonly revealed?: readonly string[];
  /** The steps to take now, which are shown after the result. */
  readonly next?: readonly string[];
};

/** Wrong use or configuration, found before anything was done. */
export class UsageFault extends Error {}

export function done(text: string, fields: Outcome["fields"], report: string | null = null): Outcome {
  return { ok: true, exitCode: EXIT_CODES.ok, text, fields, report };
}

export function failed(text: string, fields: Outcome["fields"] = {}, report: string | null = null): Outcome {
  return { ok: false, exitCode: EXIT_CODES.failed, text, fields: { error: text, ...fields }, report };
}

/** A connection refused on every address of a name has no message of its own, only a code. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== "") return error.message;
  return "code" in error ? String(error.code) : error.name;
}
