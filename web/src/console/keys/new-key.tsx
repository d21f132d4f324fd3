import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { useAttempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Field, showFieldErrors } from "../../ui/field.tsx";
import { SecretCard } from "../../ui/secret-card.tsx";
import { post } from "../api.ts";
import { isWaitingAction } from "../approvals/approval.ts";
import { useKeyChange } from "./key.ts";

type Values = { name: string };
type NewKeyState = { readonly apiKey: string; readonly waits: boolean };

/** Asks for a name, then shows the key once. */
export function NewKey({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { register, handleSubmit, setError, formState } = useForm<Values>({ defaultValues: { name: "" } });
  const [made, setMade] = useState<NewKeyState | null>(null);
  const { busy, error, attempt } = useAttempt();
  const make = useKeyChange((values: Values) => post("/keys", values));
  const send = async (values: Values) => {
    try {
      const created = await make.mutateAsync(values);
      setMade({ apiKey: created.api_key ?? "", waits: isWaitingAction(created) });
    } catch (refused) {
      if (!showFieldErrors<Values>(refused, ["name"], setError)) throw refused;
    }
  };
  if (made !== null) {
    const { apiKey, waits } = made;
    return (
      <SecretCard title={waits ? "The key waits for approval" : "The key is ready"} name="Operator key" secret={apiKey} onStored={onClose}>
        {waits && "Store it now. It works after another person has approved it under Approvals. "}
        This key can make every call of the operator API. Store it only in your program's secret store.
      </SecretCard>
    );
  }
  return (
    <Dialog title="New operator key" onClose={onClose}>
      <form onSubmit={handleSubmit((values) => attempt(() => send(values)))} className="space-y-4" noValidate>
        <Field
          label="Key name"
          hint="The program that will use it, such as “Nightly settlement”."
          maxLength={120}
          error={formState.errors.name?.message}
          {...register("name", { required: "Enter a name." })}
        />
        {error !== null && <ErrorCard error={error} />}
        <div className="flex justify-end">
          <Button type="submit" look="primary" busy={busy}>
            Create key
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
