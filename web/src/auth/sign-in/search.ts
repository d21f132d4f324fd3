export type SignInSearch = { readonly next?: string | undefined };

/**
 * * Reads where to go after signing in: only paths of this site are accepted. `next` is always part of the result,
 * * because the router merges it over the URL's own parameters and a missing key would let the URL's value through.
 */
export function readSignIn(search: Record<string, unknown>): SignInSearch {
  const next = search["next"];
  return { next: typeof next === "string" && /^\/(?![/\\])/.test(next) ? next : undefined };
}
