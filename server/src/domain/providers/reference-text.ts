const LONGEST = 64;

/**
 * An operator's reference as clients may see it: letters, digits and the signs that references have, no longer than one.
 * A page or a message that stands in its place does not get through whole.
 */
export function referenceText(text: string): string {
  return text
    .replace(/[^A-Za-z0-9._:/# -]/g, "")
    .replace(/ {2,}/g, " ")
    .trim()
    .slice(0, LONGEST);
}
