import type { ReactNode } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import { ErrorCard } from "../../../ui/error-card.tsx";
import { useAttempt } from "../../../ui/forms/attempt.ts";
import { Field, showFieldErrors } from "../../../ui/forms/field.tsx";
import { AMOUNT } from "../../../ui/forms/typed-money.ts";
import { Dialog, FormEnd } from "../../../ui/overlays/dialog.tsx";
import { toast } from "../../../ui/overlays/toast.tsx";
import { Facts } from "../../../ui/page.tsx";
import { ApiError } from "../../../ui/requests/api.ts";
import { clientFact } from "../../clients/client-fact.tsx";
import { ReasonField } from "../../reason-dialog.tsx";
import { type Account, useAccountPost } from "../account.ts";
import { changeOf, choiceOf, type Setting, textOf } from "./settings.ts";

type Values = { value: string; reason: string };
type ChangeProps = { readonly account: Account; readonly setting: Setting; readonly onClose: () => void };

/** Asks for the new value and the reason, and explains the effect. */
export function ChangeSetting({ account, setting, onClose }: ChangeProps): ReactNode {
  const send = useAccountPost();
  const form = useForm<Values>({ defaultValues: { value: textOf(account, setting), reason: "" } });
  const { busy, error, attempt } = useAttempt();
  const { handleSubmit, setError, setValue, watch } = form;
  const [text, reason] = watch(["value", "reason"]);
  const save = handleSubmit((values) =>
    attempt(async () => {
      const reasonText = values.reason.trim();
      try {
        const change = changeOf(setting, values.value);
        await send("/accounts/:account_id", { account_id: account.account_id, ...change, reason: reasonText || undefined });
        toast(`${setting.label} was changed.`);
        onClose();
      } catch (refused) {
        const field = refusalOf(refused, setting.name);
        if (!showFieldErrors<Values>(field, ["value"], setError)) throw refused;
      }
    }),
  );
  const danger = choiceOf(setting, text)?.danger ?? false;
  return (
    <Dialog title={`Change: ${setting.label}`} onClose={onClose}>
      <form onSubmit={(event) => void save(event)} className="space-y-4" noValidate>
        <Facts facts={[clientFact(account)]} />
        <NewValue setting={setting} form={form} />
        <ReasonField value={reason} onChange={(text) => setValue("reason", text)} />
        {error !== null && <ErrorCard error={error} />}
        <FormEnd onClose={onClose} busy={busy} danger={danger} disabled={text.trim() === textOf(account, setting)}>
          Change
        </FormEnd>
      </form>
    </Dialog>
  );
}

function NewValue({ setting, form }: { readonly setting: Setting; readonly form: UseFormReturn<Values> }): ReactNode {
  const { register, watch, formState } = form;
  const common = { label: setting.label, hint: setting.hint, autoComplete: "off", error: formState.errors.value?.message };
  if (setting.kind === "count")
    return <Field {...common} type="number" min={1} max={1_000_000} {...register("value", { required: "Enter a number." })} />;
  if (setting.kind === "amount") return <Field {...common} inputMode="decimal" placeholder="25000.00" {...register("value", AMOUNT)} />;
  if (setting.kind === "url")
    return <Field {...common} type="url" spellCheck={false} placeholder="https://example.com/corprail" {...register("value")} />;
  const chosen = choiceOf(setting, watch("value"));
  return (
    <fieldset className="space-y-2">
      <legend className="mb-2 text-soft">{setting.hint}</legend>
      {setting.choices.map((choice) => (
        <label key={choice.value} className="flex items-start gap-2.5">
          <input type="radio" value={choice.value} className="mt-0.5 size-4 accent-accent" {...register("value")} />
          <span className="font-medium">{choice.label}</span>
        </label>
      ))}
      <p role="status" className="border-accent border-l-2 py-1 pl-3 text-soft">
        {chosen?.effect}
      </p>
    </fieldset>
  );
}

/** Moves an error from the setting's name to the form's only field. */
function refusalOf(refused: unknown, name: string): unknown {
  if (!(refused instanceof ApiError) || refused.fields[name] === undefined) return refused;
  return new ApiError(refused.status, refused.error, refused.message, refused.requestId, { value: refused.fields[name] });
}
