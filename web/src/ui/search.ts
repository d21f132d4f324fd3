type Search = Readonly<Record<string, unknown>>;

/** Search params are plain text, so that an address reads `?status=404` and not `?status=%22404%22`. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Search): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const written = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return written === "" ? "" : `?${written}`;
}

/** Reads just these params of an address; whatever else stands there is dropped. */
export function textParams<Name extends string>(...names: readonly Name[]): (search: Search) => { readonly [Key in Name]?: string } {
  return (search) => {
    const given = names.filter((name) => typeof search[name] === "string" && search[name] !== "");
    return Object.fromEntries(given.map((name) => [name, search[name]])) as { [Key in Name]?: string };
  };
}
