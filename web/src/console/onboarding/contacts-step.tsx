import { Plus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { type Path, type UseFormReturn, useFieldArray, useForm } from "react-hook-form";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field, Select, showFieldErrors } from "../../ui/forms/field.tsx";
import { Card } from "../../ui/page.tsx";
import { ApiError } from "../../ui/requests/api.ts";
import { post } from "../api.ts";
import { CONTACT_NAMES, type Contact, optionsOf, useShowChange } from "./onboarding.ts";
import type { StepProps } from "./step.tsx";

type Values = { contacts: Contact[] };

const MAX_CONTACTS = 10;
const NOBODY: Contact = { kind: "owner", name: "", email: "", mobile: "" };

/** The client's people. An owner is required, who is invited to the portal first. */
export function ContactsStep({ onboarding, mayEdit, onNext }: StepProps): ReactNode {
  const known = onboarding.contacts.length === 0 ? [NOBODY] : onboarding.contacts;
  const form = useForm<Values>({ defaultValues: { contacts: [...known] } });
  const { fields, append, remove } = useFieldArray({ control: form.control, name: "contacts" });
  const { busy, error, attempt } = useAttempt();
  const show = useShowChange();
  const save = async ({ contacts }: Values) => {
    try {
      const { account_id: accountId, version } = onboarding;
      await show(await post("/accounts/:account_id/onboarding", { account_id: accountId, version, contacts }));
      onNext();
    } catch (refused) {
      const names = refused instanceof ApiError ? (Object.keys(refused.fields) as Path<Values>[]) : [];
      const known = names.filter((name) => name.startsWith("contacts."));
      if (!showFieldErrors<Values>(refused, known, form.setError)) throw refused;
    }
  };
  return (
    <Card title="Contacts" hint="The owner is the first person who is invited to the portal.">
      <form onSubmit={form.handleSubmit((values) => attempt(() => save(values)))} noValidate>
        <fieldset disabled={!mayEdit} className="space-y-5">
          {fields.map((field, place) => (
            <Person key={field.id} form={form} place={place} onRemove={() => remove(place)} isOnly={fields.length === 1} />
          ))}
          {error !== null && <ErrorCard error={error} />}
          {mayEdit && (
            <div className="flex flex-wrap justify-between gap-2">
              <Button icon={Plus} disabled={fields.length >= MAX_CONTACTS} onClick={() => append({ ...NOBODY, kind: "technical" })}>
                Add contact
              </Button>
              <Button type="submit" look="primary" busy={busy}>
                Save and continue
              </Button>
            </div>
          )}
        </fieldset>
      </form>
    </Card>
  );
}

type PersonProps = {
  readonly form: UseFormReturn<Values>;
  readonly place: number;
  readonly isOnly: boolean;
  readonly onRemove: () => void;
};

function Person({ form: { register, formState }, place, isOnly, onRemove }: PersonProps): ReactNode {
  const errors = formState.errors.contacts?.[place];
  return (
    <fieldset className="space-y-3 border-line border-b pb-5">
      <legend className="mb-2 font-medium">Contact {place + 1}</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        <Select label="Role" options={optionsOf(CONTACT_NAMES)} error={errors?.kind?.message} {...register(`contacts.${place}.kind`)} />
        <Field
          label="Name"
          maxLength={120}
          autoComplete="off"
          error={errors?.name?.message}
          {...register(`contacts.${place}.name`, { required: "Enter a name." })}
        />
        <Field
          label="Email address"
          type="email"
          autoComplete="off"
          error={errors?.email?.message}
          {...register(`contacts.${place}.email`, { required: "Enter an email address." })}
        />
        <Field
          label="Mobile number"
          inputMode="numeric"
          maxLength={10}
          autoComplete="off"
          error={errors?.mobile?.message}
          {...register(`contacts.${place}.mobile`, { required: "Enter a mobile number." })}
        />
      </div>
      {!isOnly && (
        <Button look="quiet" icon={Trash2} onClick={onRemove}>
          Remove contact {place + 1}
        </Button>
      )}
    </fieldset>
  );
}
