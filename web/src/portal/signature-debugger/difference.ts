/** A line cut in three: what both begin with, where they differ, and what both end with. */
export type Cut = { readonly before: string; readonly changed: string; readonly after: string };

/** Cuts two lines where they begin and stop to differ, by whole characters. */
export function cutApart(one: string, other: string): { readonly one: Cut; readonly other: Cut; readonly at: number } {
  const [left, right] = [[...one], [...other]];
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
  return { one: cut(left), other: cut(right), at: start + 1 };
}

/** What cannot be seen gets a sign. */
export function visible(text: string): string {
  return text.replaceAll("\r", "␍").replaceAll("\t", "␉").replaceAll(" ", "␣").replaceAll("\u00a0", "⍽");
}
