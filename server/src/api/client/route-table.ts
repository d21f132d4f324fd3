import type { Route } from "../../domain/client-api/route.ts";

export const PREFIX = "/api/corp/v1";

export type Match =
  | { readonly kind: "route"; readonly route: Route; readonly parameters: Readonly<Record<string, string>> }
  | { readonly kind: "wrong method"; readonly allowed: readonly string[]; readonly service: string }
  | { readonly kind: "unknown" };

export type RouteTable = {
  readonly routes: readonly Route[];
  /** `path` includes the prefix and has no trailing slash. */
  readonly match: (method: string, path: string) => Match;
};

type Methods = Map<string, Route>;
const PARAMETER = /^(.*\/)\{([a-z_]+)\}$/;
const UNKNOWN: Match = { kind: "unknown" };

/** Indexes the routes of the client API by path and method. */
export function routeTable(routes: readonly Route[]): RouteTable {
  const exact = new Map<string, Methods>();
  const open = new Map<string, { readonly name: string; readonly methods: Methods }>();
  for (const route of routes) {
    const parameterised = PARAMETER.exec(PREFIX + route.path);
    if (parameterised)
      addTo(entryOf(open, parameterised[1] ?? "", () => ({ name: parameterised[2] ?? "", methods: new Map() })).methods, route);
    else
      addTo(
        entryOf(exact, PREFIX + route.path, () => new Map()),
        route,
      );
  }
  return {
    routes,
    match: (method, path) => {
      const methods = exact.get(path);
      if (methods) return choose(methods, method, {});
      const cut = path.lastIndexOf("/") + 1;
      const entry = open.get(path.slice(0, cut));
      return entry && cut < path.length ? choose(entry.methods, method, { [entry.name]: path.slice(cut) }) : UNKNOWN;
    },
  };
}

function choose(methods: Methods, method: string, parameters: Readonly<Record<string, string>>): Match {
  const route = methods.get(method);
  if (route) return { kind: "route", route, parameters };
  const [other] = methods.values();
  return { kind: "wrong method", allowed: [...methods.keys()], service: other?.service ?? "recharge" };
}

function addTo(methods: Methods, route: Route): void {
  if (methods.has(route.method)) throw new Error(`Two routes for ${route.method} ${route.path}.`);
  methods.set(route.method, route);
}

function entryOf<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
