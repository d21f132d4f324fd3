import type { ReactNode } from "react";
import { type Route, useProvidersChanged } from "../providers/provider.ts";
import { ReasonDialog } from "../reason-dialog.tsx";
import { WayCard } from "../ways/way-steps.tsx";
import { routeName } from "./route.ts";

type DeleteRouteProps = {
  readonly route: Route;
  readonly onClose: () => void;
  readonly onDelete: (reason: string | undefined) => Promise<unknown>;
};

/** Shows where orders would go then: the last route of a level gives way to a more general one. */
export function DeleteRoute({ route, onClose, onDelete }: DeleteRouteProps): ReactNode {
  const changed = useProvidersChanged();
  return (
    <ReasonDialog
      title={`Delete the route to ${route.provider}?`}
      action="Delete it"
      danger
      onClose={onClose}
      run={async (reason) => {
        await onDelete(reason);
        await changed();
      }}
    >
      <div className="space-y-4">
        <p>{routeName(route)}: this is where orders would go then. To leave them nowhere to go, switch the route off instead.</p>
        <div className="text-ink">
          <WayCard service={route.service} operator={route.operator} without={route.provider} />
        </div>
      </div>
    </ReasonDialog>
  );
}
