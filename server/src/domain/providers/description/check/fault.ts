/** What zod gives a check of several fields. */
export type Check<Value> = {
  readonly value: Value;
  readonly issues: {
    push: (issue: { code: "custom"; input: unknown; message: string; path: PropertyKey[]; continue: boolean }) => unknown;
  };
};

/** Reports a fault at the field that must change. */
export function fault<Value>(check: Check<Value>, path: PropertyKey[], message: string): void {
  // `continue` lets the other checks report their faults as well.
  check.issues.push({ code: "custom", input: undefined, message, path, continue: true });
}
