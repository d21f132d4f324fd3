const LONGEST = 64;

/**
 * An operator reference as clients may see it: allowed characters only, and not longer than a reference.
 * This keeps out an HTML page or a message that a provider sends instead.
 */
export function referenceText(text: string): string {
  return text
    .replace(/[^A-Za-z0-9._:/# -]/g, "")
    .replace(/ {2,}/g, " ")
    .trim()
    .slice(0, LONGEST);
}
