/** RFC 3986: letters, digits and `- _ . ~` stay, everything else is escaped, a space as %20. */
export function percentEncode(text: string): string {
  // encodeURIComponent leaves five characters that RFC 3986 reserves.
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
