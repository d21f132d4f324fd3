import type { PortalApi } from "../portal-api.ts";
import type { Query } from "../ui/api.ts";
import { type List, useList as useAnyList } from "../ui/list.ts";
import { typedCalls } from "../ui/typed-calls.ts";

export const { get, post, postWithoutRedirect } = typedCalls<PortalApi>();

/** The lists of the portal's API, by path. */
type Lists = {
  [Key in keyof PortalApi as PortalApi[Key] extends { readonly reply: { readonly next: string | null } }
    ? Key extends `GET ${infer Path}`
      ? Path
      : never
    : never]: PortalApi[Key] extends { readonly reply: { readonly items: readonly (infer Row)[] } } ? Row : never;
};

/** Reads a list of the portal. The service checks the filters, which come from the page's address. */
export function useList<Path extends keyof Lists & string>(path: Path, query?: Query, refetchMilliseconds?: number): List<Lists[Path]> {
  return useAnyList<Lists[Path]>(path, query, refetchMilliseconds);
}
