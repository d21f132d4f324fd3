import { secretMask } from "./mask-secrets.ts";

const LONGEST = 200;
// Almost no text has one, and looking is cheaper than replacing.
const CONTROL = /\p{Cc}/u;
const CONTROLS = /\p{Cc}+/gu;

/** Removes secrets and control characters from a provider's text and shortens it, so that it can be stored and shown. */
export function cleaner(secrets: Readonly<Record<string, string>>, longest = LONGEST): (text: string) => string {
  const mask = secretMask(Object.values(secrets));
  return (text) => {
    const masked = mask(text);
    const clean = CONTROL.test(masked) ? masked.replace(CONTROLS, " ") : masked;
    return clean.trim().slice(0, longest);
  };
}
