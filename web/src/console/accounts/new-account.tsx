import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import type { Schemas } from "../../operator-api.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field, showFieldErrors } from "../../ui/forms/field.tsx";
import { SecretCard } from "../../ui/forms/secret-card.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { DATA_MODE } from "../../ui/requests/data-mode.ts";
import { post } from "../api.ts";

type Values = { name: string };
type NewAccountResponse = Schemas["CreatedAccount"];

/** Asks for a name, creates the account, and shows its token once. */
export function NewAccount({ onClose }: { readonly onClose: () => void }): ReactNode {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { register, handleSubmit, setError, formState } = useForm<Values>({ defaultValues: { name: "" } });
  const [made, setMade] = useState<NewAccountResponse | null>(null);
  const { busy, error, attempt } = useAttempt();
  const send = async (values: Values) => {
    try {
      setMade(await post("/accounts", { ...values, sandbox: DATA_MODE === "test" }));
      await queries.invalidateQueries({ queryKey: ["/accounts"] });
    } catch (refused) {
      if (!showFieldErrors<Values>(refused, ["name"], setError)) throw refused;
    }
  };
  if (made !== null) {
    const show = () => {
      onClose();
      void navigate({ to: "/accounts/$accountId", params: { accountId: made.account_id } });
    };
    return (
      <SecretCard title="The account was created" name="API token" secret={made.api_token} onStored={show}>
        The client's servers send this token with every call. Recharge is on and the other services are off. Every call is refused until you
        add an address to the allowlist.
      </SecretCard>
    );
  }
  return (
    <Dialog title="New account" onClose={onClose}>
      <form onSubmit={handleSubmit((values) => attempt(() => send(values)))} className="space-y-4" noValidate>
        <Field
          label="Client name"
          maxLength={120}
          autoComplete="off"
          error={formState.errors.name?.message}
          {...register("name", { required: "Enter a name." })}
        />
        {DATA_MODE === "test" && (
          <p className="text-soft">This becomes a sandbox account: every order goes to the simulator, and no real money moves.</p>
        )}
        {error !== null && <ErrorCard error={error} />}
        <div className="flex justify-end">
          <Button type="submit" look="primary" busy={busy}>
            Create account
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
