import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { Facts } from "../../ui/page.tsx";
import { ApiError } from "../../ui/requests/api.ts";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { get, post } from "../api.ts";
import type { Route } from "../providers/provider.ts";
import { RoutingPlanCard } from "../routing-plan/routing-plan-card.tsx";
import { OPERATIONS, useMay } from "../session.ts";
import { DeleteRoute } from "./delete-route.tsx";
import { operatorText, readRouteParam, routeName, serviceText } from "./route.ts";
import { RouteForm } from "./route-form.tsx";
import { RouteState } from "./route-state.tsx";

const NONE = new ApiError(404, "not_found", "This route was not found.");

export function RouteDrawer(): ReactNode {
  const { route: text } = useParams({ from: "/console/routes/$route" });
  const navigate = useNavigate();
  const isAllowed = useMay(OPERATIONS);
  const [deleting, setDeleting] = useState(false);
  const key = readRouteParam(text);
  const query = useQuery({
    queryKey: ["/routes", "one", text],
    queryFn: ({ signal }) => get("/routes", key, signal).then(({ items }) => items[0] ?? null),
  });
  const close = () => void navigate({ to: "/routes", search: true });
  const route = query.data ?? null;
  return (
    <Drawer
      title={`${routeName(key)} to ${key.provider}`}
      onClose={close}
      {...(isAllowed && route !== null
        ? {
            footer: (
              <Button look="danger" onClick={() => setDeleting(true)}>
                Delete route
              </Button>
            ),
          }
        : {})}
    >
      <QueryView query={query} skeleton={<SkeletonCard lines={6} />}>
        {(found) => (found === null ? <ErrorCard error={NONE} /> : <About route={found} isAllowed={isAllowed} />)}
      </QueryView>
      {deleting && route !== null && (
        <DeleteRoute
          route={route}
          onClose={() => setDeleting(false)}
          onDelete={async (reason) => {
            await post("/routes/delete", { ...key, reason });
            toast("The route was deleted.");
            close();
          }}
        />
      )}
    </Drawer>
  );
}

function About({ route, isAllowed }: { readonly route: Route; readonly isAllowed: boolean }): ReactNode {
  return (
    <>
      <Facts
        facts={[
          ["Service", serviceText(route.service)],
          ["Operator", operatorText(route.operator)],
          [
            "Provider",
            <Link key="provider" to="/providers/$provider" params={{ provider: route.provider }} className="link">
              {route.provider}
            </Link>,
          ],
          ["State", <RouteState key="state" enabled={route.enabled} />],
          ["Priority", route.priority],
          ["Weight", route.weight],
        ]}
      />
      {isAllowed && <RouteForm key={`${route.priority} ${route.weight} ${route.enabled}`} route={route} />}
      <section aria-labelledby="routing" className="space-y-3">
        <h3 id="routing" className="font-semibold">
          Current routing
        </h3>
        <RoutingPlanCard service={route.service} operator={route.operator} />
      </section>
    </>
  );
}
