const LONGEST = 200;
const SHORTEST_SECRET = 4;

/** Makes a provider's words fit to be kept and shown: no secret it repeats, no control character, not too long. */
export function cleaner(secrets: Readonly<Record<string, string>>, longest = LONGEST): (text: string) => string {
  // A very short one would take ordinary words apart; it could not be kept secret anyway.
  const hidden = Object.values(secrets).filter((secret) => secret.length >= SHORTEST_SECRET);
  return (text) => {
    const open = hidden.reduce((rest, secret) => rest.replaceAll(secret, "[hidden]"), text);
    return open
      .replace(/\p{Cc}+/gu, " ")
      .trim()
      .slice(0, longest);
  };
}
