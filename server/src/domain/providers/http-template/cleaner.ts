const LONGEST = 200;
const SHORTEST_SECRET = 4;

/** Removes secrets and control characters from a provider's text and shortens it, so that it can be stored and shown. */
export function cleaner(secrets: Readonly<Record<string, string>>, longest = LONGEST): (text: string) => string {
  // Masking a very short secret would garble ordinary words.
  const hidden = Object.values(secrets).filter((secret) => secret.length >= SHORTEST_SECRET);
  return (text) => {
    const open = hidden.reduce((rest, secret) => rest.replaceAll(secret, "[hidden]"), text);
    return open
      .replace(/\p{Cc}+/gu, " ")
      .trim()
      .slice(0, longest);
  };
}
