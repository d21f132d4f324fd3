import { secretMask } from "./mask-secrets.ts";

const LONGEST = 200;

/** Removes secrets and control characters from a provider's text and shortens it, so that it can be stored and shown. */
export function cleaner(secrets: Readonly<Record<string, string>>, longest = LONGEST): (text: string) => string {
  const mask = secretMask(Object.values(secrets));
  return (text) =>
    mask(text)
      .replace(/\p{Cc}+/gu, " ")
      .trim()
      .slice(0, longest);
}
