import { type ReactNode, useState } from "react";
import { useAttempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Field } from "../../ui/field.tsx";
import { type Route, useUpstreamChanged } from "../providers/provider.ts";
import { WayCard } from "../ways/way-steps.tsx";
import { routeName } from "./route.ts";

type DeleteRouteProps = {
  readonly route: Route;
  readonly onClose: () => void;
  readonly onDelete: (reason: string | undefined) => Promise<unknown>;
};

/** Shows where orders would go then: the last route of a level gives way to a more general one. */
export function DeleteRoute({ route, onClose, onDelete }: DeleteRouteProps): ReactNode {
  const changed = useUpstreamChanged();
  const [reason, setReason] = useState("");
  const { busy, error, attempt } = useAttempt();
  const remove = () =>
    void attempt(async () => {
      await onDelete(reason.trim() === "" ? undefined : reason.trim());
      await changed();
      onClose();
    });
  return (
    <Dialog
      title={`Delete the route to ${route.provider}?`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" busy={busy} onClick={remove}>
            Delete it
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        <p className="text-soft">
          {routeName(route)}: this is where orders would go then. To leave them nowhere to go, switch the route off instead.
        </p>
        <WayCard service={route.service} operator={route.operator} without={route.provider} />
        <Field
          label="Reason, for the audit trail"
          placeholder="Optional"
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        {error !== null && <ErrorCard error={error} />}
      </div>
    </Dialog>
  );
}
