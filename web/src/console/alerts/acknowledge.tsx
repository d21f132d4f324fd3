import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { post } from "../../ui/api.ts";
import { useAttempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { TextArea } from "../../ui/field.tsx";
import { toast } from "../../ui/toast.tsx";
import { MONEY, SUPPORT, useMay } from "../session.ts";
import type { Alert } from "./alert.ts";

const HANDS = [...new Set([...SUPPORT, ...MONEY])];

/** Says that somebody is at it. */
export function Acknowledge({ alert }: { readonly alert: Alert }): ReactNode {
  const may = useMay(HANDS);
  const queries = useQueryClient();
  const { busy, error, attempt } = useAttempt();
  const { register, handleSubmit, formState } = useForm({ defaultValues: { note: "" } });
  if (!may || alert.state !== "open") return null;
  const send = async ({ note }: { readonly note: string }) => {
    const changed = await post<Alert>(`/alerts/${alert.alert_id}/acknowledge`, { note });
    queries.setQueryData(["/alerts", alert.alert_id], changed);
    await queries.invalidateQueries({ queryKey: ["/alerts", "list"] });
    toast("The others see that you are at it.");
  };
  return (
    <form onSubmit={handleSubmit((values) => attempt(() => send(values)))} className="space-y-3" noValidate>
      <TextArea
        label="What you do about it"
        hint="The others see it beside the alert, which stays until it is no longer so."
        maxLength={500}
        error={formState.errors.note?.message}
        {...register("note", { validate: (note) => note.trim() !== "" || "Write a few words." })}
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
