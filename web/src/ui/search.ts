/** Filters of a list as its address holds them: the named ones, as text, without those that are empty. */
export function readFilters<Name extends string>(
  ...names: readonly Name[]
): (search: Record<string, unknown>) => { readonly [Key in Name]?: string } {
  return (search) => {
    const given = names.filter((name) => search[name] !== undefined && search[name] !== null && search[name] !== "");
    return Object.fromEntries(given.map((name) => [name, String(search[name])])) as { [Key in Name]?: string };
  };
}

// A search param is text and stays text: an account such as 9876543210 is no number, and no quotes stand in the address.
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null);
  const written = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return written === "" ? "" : `?${written}`;
}
