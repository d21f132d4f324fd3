import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Notice } from "../../ui/page.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { get } from "../api.ts";
import { triedText } from "../routing-plan/routing-plan.ts";
import { RoutingPlanSteps } from "../routing-plan/routing-plan-card.tsx";
import { type Proposal, routeImpactText } from "./route.ts";

/** The orders that a new or changed route would have applied to, and the routing before and after. */
export function RouteImpact({ proposal }: { readonly proposal: Proposal }): ReactNode {
  const { service, operator, provider, priority, weight } = proposal;
  const { data, error } = useQuery({
    queryKey: ["/routes", "impact", proposal],
    queryFn: ({ signal }) => get("/routes/impact", { service, operator, provider, priority, weight }, signal),
    retry: false,
    staleTime: 0,
  });
  if (data === undefined) return error === null ? <SkeletonCard lines={4} /> : <ErrorCard error={error} />;
  return (
    <section aria-label="Impact" className="space-y-3">
      <Notice tone={data.orders === 0 ? "accent" : "wait"}>
        <p>{routeImpactText(data)}</p>
      </Notice>
      <p className="text-soft">
        Until now these orders go to <b className="text-ink">{triedText(data.before.steps)}</b>. With the route they go to:
      </p>
      <RoutingPlanSteps plan={data.after} />
    </section>
  );
}
