import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import type { OperatorApi } from "../../operator-api.ts";
import { useMode } from "../../shell/mode.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { Switch } from "../../ui/forms/switch.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { post } from "../api.ts";
import { providerQuery, type Route, useProvidersChanged } from "../providers/provider.ts";
import { ConfirmRoute } from "./confirm-route.tsx";
import { isPlace, PLACE_ERROR, routeName } from "./route.ts";
import { SwitchRoute } from "./switch-route.tsx";

type Values = { priority: string; weight: string };
type RouteChange = Pick<OperatorApi["POST /routes"]["input"], "priority" | "weight" | "enabled" | "reason">;

/** Changes a route's priority and weight, and switches it on or off. */
export function RouteForm({ route }: { readonly route: Route }): ReactNode {
  const changed = useProvidersChanged();
  const { service, operator, provider, enabled } = route;
  const { register, handleSubmit, formState } = useForm<Values>({
    defaultValues: { priority: String(route.priority), weight: String(route.weight) },
  });
  const [proposed, setProposed] = useState<Values | null>(null);
  const [wanted, setWanted] = useState<"on" | "off" | null>(null);
  const mode = useMode();
  const connector = useQuery(providerQuery(provider)).data?.connector;
  const change = async (more: RouteChange, message: string) => {
    const saved = await post("/routes", { service, operator, provider, ...more });
    await changed();
    toast(saved.notice ?? message);
  };
  const save = async ({ priority, weight }: Values, reason: string | undefined) => {
    await change({ priority: Number(priority), weight: Number(weight), reason }, "The route was changed.");
    setProposed(null);
  };
  const placed = { validate: (text: string) => isPlace(text) || PLACE_ERROR };
  return (
    <section aria-label="Change route" className="space-y-4 rounded-lg border border-line p-4">
      <Switch
        label="Route enabled"
        hint="While the route is off, its orders are refused; they are not sent by a more general route."
        on={enabled}
        disabled={connector === undefined}
        onChange={(on) => setWanted(on ? "on" : "off")}
      />
      {wanted !== null && (
        <SwitchRoute
          route={route}
          wanted={wanted}
          goesLive={wanted === "on" && mode === "trial" && connector !== "simulator"}
          onClose={() => setWanted(null)}
          onConfirm={(reason) => change({ enabled: wanted === "on", reason }, `The route was switched ${wanted}.`)}
        />
      )}
      {proposed !== null && (
        <Dialog title={`Change the route ${routeName(route)} to ${provider}?`} onClose={() => setProposed(null)}>
          <ConfirmRoute
            proposal={{ service, operator, provider, ...proposed }}
            goesLive={false}
            action="Save route"
            onBack={() => setProposed(null)}
            onConfirm={(reason) => save(proposed, reason)}
          />
        </Dialog>
      )}
      <form onSubmit={handleSubmit(setProposed)} className="flex flex-wrap items-end gap-3" noValidate>
        <Field
          label="Priority"
          className="w-28"
          inputMode="numeric"
          error={formState.errors.priority?.message}
          {...register("priority", placed)}
        />
        <Field
          label="Weight"
          className="w-28"
          inputMode="numeric"
          error={formState.errors.weight?.message}
          {...register("weight", placed)}
        />
        <Button type="submit" look="primary">
          Save route
        </Button>
      </form>
    </section>
  );
}
