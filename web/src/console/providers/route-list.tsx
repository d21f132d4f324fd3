import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Badge } from "../../ui/formats/badge.tsx";
import { routeName, routeParams } from "../routes/route.ts";
import type { ProviderDetail } from "./provider.ts";

/** The routes to a provider. */
export function RouteList({ provider: { provider, route_list: routes } }: { readonly provider: ProviderDetail }): ReactNode {
  return (
    <section aria-labelledby="routes" className="space-y-3">
      <h3 id="routes" className="font-semibold">
        Routes
      </h3>
      {routes.length === 0 ? (
        <p className="text-soft">
          There is no route to this provider, so it gets no orders.{" "}
          <Link to="/routes" search={{ provider }} className="link">
            Add a route
          </Link>
          .
        </p>
      ) : (
        <ul className="space-y-2">
          {routes.map((route) => (
            <li
              key={routeName(route)}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-lg border border-line px-3 py-2"
            >
              <Link to="/routes/$route" params={routeParams(route)} className="link font-medium">
                {routeName(route)}
              </Link>
              <span className="flex items-center gap-2 text-soft text-xs tabular-nums">
                priority {route.priority} · weight {route.weight}
                {!route.enabled && <Badge>Off</Badge>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
