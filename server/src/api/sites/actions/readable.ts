const MOST_LETTERS = 2_000;

/** Faults of query and path texts by name: texts that PostgreSQL cannot store or that are too long. */
export function textFaults(values: object): Readonly<Record<string, string>> {
  const wrong = Object.entries(values).flatMap(([name, value]) => {
    const why = typeof value === "string" ? faultOf(value) : null;
    return why === null ? [] : [[name, why] as const];
  });
  return Object.fromEntries(wrong);
}

function faultOf(text: string): string | null {
  if (text.includes("\0")) return "Must not contain a NUL character.";
  if (!text.isWellFormed()) return "Must be valid Unicode.";
  return text.length > MOST_LETTERS ? `Must have at most ${MOST_LETTERS} characters.` : null;
}

/** Whether every escape in a query is valid UTF-8. The parser would treat a broken one as plain text. */
export function hasReadableQuery(target: string): boolean {
  const start = target.indexOf("?");
  try {
    decodeURIComponent(start === -1 ? "" : target.slice(start + 1));
    return true;
  } catch {
    return false;
  }
}
