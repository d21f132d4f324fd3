export type SignInSearch = { readonly next?: string | undefined };

/**
 * Where to go after signing in: an address of this site only, never of another one. `next` is always in the answer:
 * the router lays it over what the address says, and what is missing in it would let the address through.
 */
export function readSignIn(search: Record<string, unknown>): SignInSearch {
  const next = search["next"];
  return { next: typeof next === "string" && /^\/(?![/\\])/.test(next) ? next : undefined };
}
