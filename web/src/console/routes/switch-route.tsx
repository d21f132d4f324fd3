import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Dialog, FormEnd } from "../../ui/overlays/dialog.tsx";
import type { Route } from "../providers/provider.ts";
import { ReasonField } from "../reason-dialog.tsx";
import { RoutingPlanCard } from "../routing-plan/routing-plan-card.tsx";
import { GoingLive } from "./going-live.tsx";
import { routeName } from "./route.ts";

type SwitchRouteProps = {
  readonly route: Route;
  readonly wanted: "on" | "off";
  /** Whether this makes the installation live. */
  readonly goesLive: boolean;
  readonly onClose: () => void;
  /** Makes the change; the dialog closes when it succeeds. */
  readonly onConfirm: (reason: string | undefined) => Promise<unknown>;
};

/** Asks before a route is switched on or off, and shows the current routing. */
export function SwitchRoute({ route, wanted, goesLive, onClose, onConfirm }: SwitchRouteProps): ReactNode {
  const { register, handleSubmit, formState, setValue, watch } = useForm({ defaultValues: { understood: false, reason: "" } });
  const { busy, error, attempt } = useAttempt();
  const confirm = handleSubmit(async ({ reason }) => {
    if (await attempt(() => onConfirm(reason.trim() === "" ? undefined : reason.trim()))) onClose();
  });
  const name = `${routeName(route)} to ${route.provider}`;
  return (
    <Dialog title={`Switch the route ${name} ${wanted}?`} onClose={onClose}>
      <form onSubmit={confirm} className="space-y-4" noValidate>
        <p className="text-soft">
          {wanted === "on"
            ? `Orders can go to ${route.provider} immediately. The current routing is:`
            : `No new orders go to ${route.provider} by this route. If no other provider is left, orders are refused. The current routing is:`}
        </p>
        <RoutingPlanCard service={route.service} operator={route.operator} />
        {goesLive && (
          <GoingLive
            error={formState.errors.understood?.message}
            {...register("understood", { required: "Confirm that the installation goes live." })}
          />
        )}
        <ReasonField value={watch("reason")} onChange={(text) => setValue("reason", text)} />
        {error !== null && <ErrorCard error={error} />}
        <FormEnd onClose={onClose} busy={busy} danger={wanted === "off"}>
          Switch {wanted}
        </FormEnd>
      </form>
    </Dialog>
  );
}
