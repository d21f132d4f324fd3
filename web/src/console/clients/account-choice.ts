export type Account = { readonly account_id: string; readonly name: string };

/** Value of an account field whose text matches no account. A symbol, so that it cannot be sent by mistake. */
export const UNMATCHED: unique symbol = Symbol("unmatched");

/** An account's id, "" for none, or UNMATCHED. */
export type AccountChoice = string | typeof UNMATCHED;

export const UNMATCHED_MESSAGE = "No account matches this text. Choose one from the list, or clear the field.";

const ACCOUNT_ID = /^A[0-9A-Z]{11}$/;

/** The account that a text identifies among the search results. A name that several accounts share matches none. */
export function chosenOf(text: string, found: readonly Account[], before: AccountChoice = ""): AccountChoice {
  const wanted = text.trim();
  // An id that was chosen before, for example from the URL, needs no lookup.
  if (wanted === "" || wanted === before) return wanted;
  if (ACCOUNT_ID.test(wanted)) return found.some((account) => account.account_id === wanted) ? wanted : UNMATCHED;
  const named = found.filter((account) => account.name.trim().toLowerCase() === wanted.toLowerCase());
  return named.length === 1 ? (named[0]?.account_id ?? UNMATCHED) : UNMATCHED;
}
