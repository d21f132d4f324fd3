import { DATA_MODE } from "../requests/data-mode.ts";

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
// Pages do not see the mode: it is fixed for the loaded page, and every address of the router keeps it.
export function parseSearch(text: string): Record<string, string> {
  const { mode: _mode, ...search } = Object.fromEntries(new URLSearchParams(text));
  return search;
}

export function stringifySearch(search: Record<string, unknown>): string {
  const kept = DATA_MODE === "test" ? { ...search, mode: "test" } : search;
  const present = Object.entries(kept).filter(([, value]) => value !== undefined && value !== null);
  const written = new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString();
  return written === "" ? "" : `?${written}`;
}
