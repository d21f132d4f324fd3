/** RFC 3986: escapes everything except letters, digits and `- _ . ~`; a space becomes %20. */
export function percentEncode(text: string): string {
  // encodeURIComponent leaves five characters unescaped that RFC 3986 reserves.
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
