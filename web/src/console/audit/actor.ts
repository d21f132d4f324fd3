/** Value of the field whose text names nobody, or several people. */
export const UNMATCHED: unique symbol = Symbol("unmatched");

export type Named = { readonly actor: string; readonly name: string };

/** What to call an actor whose name is not known. */
export function unnamed(actor: string): string {
  return actor.replace(/^user:/, "Member ").replace(/^key:/, "Operator key ");
}

// As the operator API takes it: `staff:U…`, `key:…`, `user:…`.
const ACTOR = /^[a-z]+:[A-Za-z0-9_:-]{1,70}$/;

/** The actor that a text stands for: somebody's name, if nobody else has it, or an actor as the log writes it. Empty for no text. */
export function actorOf(text: string, known: readonly Named[]): string | typeof UNMATCHED {
  const wanted = text.trim();
  if (wanted === "" || ACTOR.test(wanted) || known.some(({ actor }) => actor === wanted)) return wanted;
  const named = known.filter(({ name }) => name.trim().toLowerCase() === wanted.toLowerCase());
  return named.length === 1 ? (named[0]?.actor ?? UNMATCHED) : UNMATCHED;
}
