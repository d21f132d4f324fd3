/** A line in three parts: the common start, the differing part, and the common end. */
export type Cut = { readonly before: string; readonly changed: string; readonly after: string };

/** Splits two lines at their first and last difference, by whole characters. */
export function splitAtDifference(first: string, second: string): { readonly left: Cut; readonly right: Cut; readonly at: number } {
  const [left, right] = [[...first], [...second]];
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  const cut = (letters: readonly string[]): Cut => ({
    before: letters.slice(0, start).join(""),
    changed: letters.slice(start, letters.length - end).join(""),
    after: letters.slice(letters.length - end).join(""),
  });
  return { left: cut(left), right: cut(right), at: start + 1 };
}

/** Replaces invisible characters with visible symbols. */
export function visible(text: string): string {
  return text.replaceAll("\r", "␍").replaceAll("\t", "␉").replaceAll(" ", "␣").replaceAll("\u00a0", "⍽");
}
