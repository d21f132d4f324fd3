import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Select, TextArea } from "../../ui/forms/field.tsx";
import { Dialog, FormEnd } from "../../ui/overlays/dialog.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { useSession } from "../session.ts";
import { useAssignable, usePersonName, useWorkChanges, type WorkSubject } from "./work.ts";

type Props = {
  readonly subject: WorkSubject;
  readonly holder: string | null;
  /** The user takes the item from its holder, instead of giving it to somebody. */
  readonly takeOver: boolean;
  readonly onClose: () => void;
};

type Values = { readonly to: string; readonly note: string };

/** Gives an item to a colleague, or takes it from one, with a word about it. */
export function AssignDialog({ subject, holder, takeOver, onClose }: Props): ReactNode {
  const me = useSession()?.user.user_id;
  const nameOf = usePersonName();
  const colleagues = useAssignable().filter(({ value }) => value !== holder && value !== me);
  const { assign } = useWorkChanges(subject);
  const { busy, error, attempt } = useAttempt();
  const { register, handleSubmit, formState } = useForm<Values>({ defaultValues: { to: "", note: "" } });
  const send = async ({ to, note }: Values) => {
    const done = await attempt(() => assign({ assigned_to: takeOver ? "me" : to, note: note.trim() }));
    if (!done) return;
    toast(takeOver ? "You handle it now." : `${nameOf(to)} handles it now and is notified.`);
    onClose();
  };
  const title = takeOver ? `Take over from ${holder === null ? "a colleague" : nameOf(holder)}` : holder === null ? "Assign" : "Hand over";
  return (
    <Dialog title={`${title}: ${subject.kind} ${subject.id}`} onClose={onClose}>
      <form onSubmit={handleSubmit(send)} className="space-y-4" noValidate>
        {!takeOver && (
          <Select
            label="Colleague"
            options={[{ value: "", label: "Choose a colleague" }, ...colleagues]}
            error={formState.errors.to?.message}
            {...register("to", { validate: (to) => to !== "" || "Choose a colleague." })}
          />
        )}
        <TextArea
          label="Note"
          hint={takeOver ? "The colleague reads it in the bell." : "What the colleague needs to know. The bell shows it."}
          rows={3}
          maxLength={2000}
          error={formState.errors.note?.message}
          {...register("note", { validate: (note) => note.trim() !== "" || "Enter a note." })}
        />
        {error !== null && <ErrorCard error={error} />}
        <FormEnd onClose={onClose} busy={busy}>
          {takeOver ? "Take over" : holder === null ? "Assign" : "Hand over"}
        </FormEnd>
      </form>
    </Dialog>
  );
}
