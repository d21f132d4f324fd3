import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { TextArea } from "../../ui/forms/field.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { post } from "../api.ts";
import { MONEY, SUPPORT, useMay } from "../session.ts";
import type { Alert } from "./alert.ts";

const ACKNOWLEDGERS = [...new Set([...SUPPORT, ...MONEY])];

/** Acknowledges an alert, so that colleagues see who handles it. */
export function Acknowledge({ alert }: { readonly alert: Alert }): ReactNode {
  const isAllowed = useMay(ACKNOWLEDGERS);
  const queries = useQueryClient();
  const { busy, error, attempt } = useAttempt();
  const { register, handleSubmit, formState } = useForm({ defaultValues: { note: "" } });
  if (!isAllowed || alert.state !== "open") return null;
  const send = async ({ note }: { readonly note: string }) => {
    const changed = await post("/alerts/:alert_id/acknowledge", { alert_id: alert.alert_id, note });
    queries.setQueryData(["/alerts", alert.alert_id], changed);
    await queries.invalidateQueries({ queryKey: ["/alerts", "list"] });
    toast("The alert is acknowledged. Colleagues see that you are handling it.");
  };
  return (
    <form onSubmit={handleSubmit((values) => attempt(() => send(values)))} className="space-y-3" noValidate>
      <TextArea
        label="What you are doing about it"
        hint="Colleagues see this note beside the alert. The alert stays open until its condition clears."
        maxLength={500}
        error={formState.errors.note?.message}
        {...register("note", { validate: (note) => note.trim() !== "" || "Enter a note." })}
      />
      {error !== null && <ErrorCard error={error} />}
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={busy}>
          Acknowledge
        </Button>
      </div>
    </form>
  );
}
