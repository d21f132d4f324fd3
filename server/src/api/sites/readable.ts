const MOST_LETTERS = 2_000;

/** What is wrong with the texts of a query or a path, by name: what no text of the database can hold, or nobody means. */
export function textFaults(values: object): Readonly<Record<string, string>> {
  const wrong = Object.entries(values).flatMap(([name, value]) => {
    const why = typeof value === "string" ? faultOf(value) : null;
    return why === null ? [] : [[name, why] as const];
  });
  return Object.fromEntries(wrong);
}

function faultOf(text: string): string | null {
  if (text.includes("\0")) return "Must not hold a NUL.";
  if (!text.isWellFormed()) return "Must be valid Unicode.";
  return text.length > MOST_LETTERS ? `Must have at most ${MOST_LETTERS} characters.` : null;
}

/** Whether every escape in a query is one of UTF-8; the parser would take a broken one for plain text. */
export function hasReadableQuery(target: string): boolean {
  const start = target.indexOf("?");
  try {
    decodeURIComponent(start === -1 ? "" : target.slice(start + 1));
    return true;
  } catch {
    return false;
  }
}
