import type { ReactNode } from "react";
import { type Route, useProvidersChanged } from "../providers/provider.ts";
import { ReasonDialog } from "../reason-dialog.tsx";
import { RoutingPlanCard } from "../routing-plan/routing-plan-card.tsx";
import { routeName } from "./route.ts";

type DeleteRouteProps = {
  readonly route: Route;
  readonly onClose: () => void;
  readonly onDelete: (reason: string | undefined) => Promise<unknown>;
};

/** Asks before a route is deleted and shows the routing without it. */
export function DeleteRoute({ route, onClose, onDelete }: DeleteRouteProps): ReactNode {
  const changed = useProvidersChanged();
  return (
    <ReasonDialog
      title={`Delete the route to ${route.provider}?`}
      action="Delete route"
      danger
      onClose={onClose}
      run={async (reason) => {
        await onDelete(reason);
        await changed();
      }}
    >
      <div className="space-y-4">
        <p>{routeName(route)}: without this route, orders would go as shown below. To refuse such orders instead, switch the route off.</p>
        <div className="text-ink">
          <RoutingPlanCard service={route.service} operator={route.operator} without={route.provider} />
        </div>
      </div>
    </ReasonDialog>
  );
}
