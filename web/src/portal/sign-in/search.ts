export type SignInSearch = { readonly next?: string };

/** Where to go after signing in: an address of this site only, never of another one. */
export function readSignIn(search: Record<string, unknown>): SignInSearch {
  const next = search["next"];
  return typeof next === "string" && /^\/(?![/\\])/.test(next) ? { next } : {};
}
