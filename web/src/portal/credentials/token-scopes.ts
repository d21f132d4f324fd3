import { tokensText } from "../../messages/en/tokens.ts";
import { listText } from "../../messages/fill.ts";

/** What a token can be limited to, with the words for it. */
export const SCOPES = [
  ["recharge", tokensText.recharge],
  ["bills", tokensText.bills],
  ["transfers", tokensText.transfers],
  ["bus", tokensText.bus],
  ["aeps", tokensText.aeps],
  ["complaints", tokensText.complaints],
  ["account", tokensText.account],
] as const;
export type Scope = (typeof SCOPES)[number][0];

export function scopesText(scopes: readonly string[] | null): string {
  if (scopes === null) return tokensText.allServices;
  return listText(SCOPES.flatMap(([scope, label]) => (scopes.includes(scope) ? label : [])));
}
