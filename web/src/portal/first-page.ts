/** Where somebody lands who wanted nothing in particular. */
export function firstPage({ routesByPath }: { readonly routesByPath: object }): string {
  return "/" in routesByPath ? "/" : "/security";
}
