import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Controller, useForm } from "react-hook-form";
import { EVENT_STATES, type StatusEvent, type StatusPage } from "../../status/status-view.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Checkbox, Field, Select, showFieldErrors, TextArea } from "../../ui/forms/field.tsx";
import { TimeField } from "../../ui/forms/time-field.tsx";
import { MOMENT } from "../../ui/forms/typed-time.ts";
import { Dialog, FormEnd } from "../../ui/overlays/dialog.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { post } from "../api.ts";

type EventValues = {
  kind: StatusEvent["kind"];
  title: string;
  text: string;
  components: string[];
  starts_at: string;
  ends_at: string;
};
const EVENT_FIELDS = ["kind", "title", "text", "components", "starts_at", "ends_at"] as const;
const KINDS = [
  { value: "incident", label: "Incident, now" },
  { value: "maintenance", label: "Maintenance window" },
];

/** Announces an incident or a maintenance window. */
export function NewEvent({
  components,
  onClose,
}: {
  readonly components: StatusPage["components"];
  readonly onClose: () => void;
}): ReactNode {
  const queries = useQueryClient();
  const form = useForm<EventValues>({
    defaultValues: { kind: "incident", title: "", text: "", components: [], starts_at: "", ends_at: "" },
  });
  const { register, handleSubmit, setError, watch, control, formState } = form;
  const { errors } = formState;
  const { busy, error, attempt } = useAttempt();
  const isMaintenance = watch("kind") === "maintenance";
  const save = async ({ starts_at, ends_at, ...values }: EventValues) => {
    try {
      await post("/status/events", { ...values, ...(isMaintenance ? { starts_at, ends_at } : {}) });
      await queries.invalidateQueries({ queryKey: ["/status"] });
      toast("It is on the status page.");
      onClose();
    } catch (refused) {
      if (!showFieldErrors<EventValues>(refused, EVENT_FIELDS, setError)) throw refused;
    }
  };
  return (
    <Dialog title="New incident or maintenance" wide onClose={onClose}>
      <form onSubmit={handleSubmit((values) => attempt(() => save(values)))} className="space-y-4" noValidate>
        <Select label="Kind" options={KINDS} {...register("kind")} />
        <Field label="Title" maxLength={150} error={errors.title?.message} {...register("title", { required: "Enter a title." })} />
        <TextArea
          label="Text"
          hint="Clients and, if the page is public, everybody can read it."
          maxLength={2000}
          error={errors.text?.message}
          {...register("text", { required: "Say what happens and what clients should do." })}
        />
        <fieldset>
          <legend className="mb-1.5 font-medium">Affects</legend>
          <div className="grid gap-1 sm:grid-cols-3">
            {components.map((one) => (
              <Checkbox
                key={one.component}
                label={one.name}
                value={one.component}
                {...register("components", { validate: (chosen) => chosen.length > 0 || "Choose at least one." })}
              />
            ))}
          </div>
          {errors.components !== undefined && <p className="mt-1 font-medium text-bad text-xs">{errors.components.message}</p>}
        </fieldset>
        {isMaintenance && (
          <div className="grid gap-4 sm:grid-cols-2">
            {(["starts_at", "ends_at"] as const).map((name) => (
              <Controller
                key={name}
                control={control}
                name={name}
                rules={{ required: "Enter a time." }}
                render={({ field }) => (
                  <TimeField
                    kind={MOMENT}
                    label={name === "starts_at" ? "Starts, India time" : "Ends, India time"}
                    value={field.value}
                    onChange={field.onChange}
                    error={errors[name]?.message}
                  />
                )}
              />
            ))}
          </div>
        )}
        {error !== null && <ErrorCard error={error} />}
        <FormEnd onClose={onClose} busy={busy}>
          Publish
        </FormEnd>
      </form>
    </Dialog>
  );
}

type UpdateValues = { state: StatusEvent["state"]; text: string };
const STATES_OF: Readonly<Record<StatusEvent["kind"], readonly StatusEvent["state"][]>> = {
  incident: ["investigating", "identified", "monitoring", "resolved"],
  maintenance: ["planned", "in_progress", "done", "cancelled"],
};

export function UpdateEvent({ event, onClose }: { readonly event: StatusEvent; readonly onClose: () => void }): ReactNode {
  const queries = useQueryClient();
  const { register, handleSubmit, setError, formState } = useForm<UpdateValues>({ defaultValues: { state: event.state, text: "" } });
  const { busy, error, attempt } = useAttempt();
  const save = async (values: UpdateValues) => {
    try {
      await post("/status/events/:event_id/updates", { event_id: event.event_id, ...values });
      await queries.invalidateQueries({ queryKey: ["/status"] });
      toast("The update is on the status page.");
      onClose();
    } catch (refused) {
      if (!showFieldErrors<UpdateValues>(refused, ["state", "text"], setError)) throw refused;
    }
  };
  return (
    <Dialog title={`Update: ${event.title}`} onClose={onClose}>
      <form onSubmit={handleSubmit((values) => attempt(() => save(values)))} className="space-y-4" noValidate>
        <Select
          label="State"
          options={STATES_OF[event.kind].map((value) => ({ value, label: EVENT_STATES[value].label }))}
          error={formState.errors.state?.message}
          {...register("state")}
        />
        <TextArea
          label="Text"
          maxLength={2000}
          error={formState.errors.text?.message}
          {...register("text", { required: "Say what is new." })}
        />
        {error !== null && <ErrorCard error={error} />}
        <FormEnd onClose={onClose} busy={busy}>
          Publish
        </FormEnd>
      </form>
    </Dialog>
  );
}

type AnnouncementValues = { title: string; text: string };

export function NewAnnouncement({ onClose }: { readonly onClose: () => void }): ReactNode {
  const queries = useQueryClient();
  const { register, handleSubmit, setError, formState } = useForm<AnnouncementValues>({ defaultValues: { title: "", text: "" } });
  const { busy, error, attempt } = useAttempt();
  const save = async (values: AnnouncementValues) => {
    try {
      queries.setQueryData(["/announcements"], await post("/announcements", values));
      toast("The announcement is in the portal.");
      onClose();
    } catch (refused) {
      if (!showFieldErrors<AnnouncementValues>(refused, ["title", "text"], setError)) throw refused;
    }
  };
  return (
    <Dialog title="Announce to all clients" onClose={onClose}>
      <form onSubmit={handleSubmit((values) => attempt(() => save(values)))} className="space-y-4" noValidate>
        <p className="text-soft">Every member of every client sees it above every page of the portal until they dismiss it.</p>
        <Field
          label="Title"
          maxLength={150}
          error={formState.errors.title?.message}
          {...register("title", { required: "Enter a title." })}
        />
        <TextArea
          label="Text"
          maxLength={2000}
          error={formState.errors.text?.message}
          {...register("text", { required: "Enter a text." })}
        />
        {error !== null && <ErrorCard error={error} />}
        <FormEnd onClose={onClose} busy={busy}>
          Announce
        </FormEnd>
      </form>
    </Dialog>
  );
}
