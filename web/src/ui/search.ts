/** Reads the named filters from the URL's search parameters as text and drops the empty ones. */
export function readFilters<Name extends string>(
  ...names: readonly Name[]
): (search: Record<string, unknown>) => { readonly [Key in Name]?: string } {
  return (search) => {
    const present = names.filter((name) => search[name] !== undefined && search[name] !== null && search[name] !== "");
    return Object.fromEntries(present.map((name) => [name, String(search[name])])) as { [Key in Name]?: string };
  };
}

// Search parameters stay plain text: an account such as 9876543210 is not a number, and the URL needs no quotes.
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const present = Object.entries(search).filter(([, value]) => value !== undefined && value !== null);
  const written = new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString();
  return written === "" ? "" : `?${written}`;
}
