// As amounts are shown: an optional rupee sign, commas after thousands, lakh and crore, up to four decimals.
const SHOWN = /^₹?\s*([0-9]{1,2}(?:,[0-9]{2})*,[0-9]{3}(?:\.[0-9]{1,4})?)$/;
const SIGNED = /^₹\s*([0-9]+(?:\.[0-9]{1,4})?)$/;

/**
 * A typed amount as the API expects it, such as 250000 for ₹2,50,000. Anything else stays as it was typed and is refused
 * later: 2,50 must not become 250.
 */
export function plainAmount(typed: string): string {
  const text = typed.trim();
  return SHOWN.exec(text)?.[1]?.replaceAll(",", "") ?? SIGNED.exec(text)?.[1] ?? text;
}

/** For `register` of react-hook-form: rules, `watch` and the submitted values then have the plain amount. */
export const AMOUNT = { setValueAs: plainAmount } as const;
