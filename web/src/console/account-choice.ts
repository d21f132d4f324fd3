export type Account = { readonly account_id: string; readonly name: string };

/** What a field for an account holds while its text is no account. It is no string, so that nobody sends it by mistake. */
export const UNMATCHED: unique symbol = Symbol("unmatched");

/** An account's id, "" for none, or text that is no account. */
export type AccountChoice = string | typeof UNMATCHED;

export const UNMATCHED_WORDS = "No account matches this text. Choose one from the list, or empty the field.";

const ACCOUNT_ID = /^A[0-9A-Z]{11}$/;

/** The account that a text names, among those that were found by it. A name that several have names none of them. */
export function chosenOf(text: string, found: readonly Account[], before: AccountChoice = ""): AccountChoice {
  const wanted = text.trim();
  // What was chosen before, such as an id in the address, needs no looking up.
  if (wanted === "" || wanted === before) return wanted;
  if (ACCOUNT_ID.test(wanted)) return found.some((one) => one.account_id === wanted) ? wanted : UNMATCHED;
  const named = found.filter((one) => one.name.trim().toLowerCase() === wanted.toLowerCase());
  return named.length === 1 ? (named[0]?.account_id ?? UNMATCHED) : UNMATCHED;
}
