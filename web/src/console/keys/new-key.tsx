import { type ReactNode, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import type { OperatorApi } from "../../operator-api.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field, Select, showFieldErrors, TextArea } from "../../ui/forms/field.tsx";
import { SecretCard } from "../../ui/forms/secret-card.tsx";
import { TimeField } from "../../ui/forms/time-field.tsx";
import { DAY } from "../../ui/forms/typed-time.ts";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { post } from "../api.ts";
import { isWaitingAction } from "../approvals/approval.ts";
import { ROLE_DESCRIPTIONS, ROLE_NAMES, ROLES } from "../roles.ts";
import { accessText, useKeyChange } from "./key.ts";

type Values = { name: string; role: string; expires_at: string; source_addresses: string };
type NewKeyState = { readonly apiKey: string; readonly role: string; readonly waits: boolean };

const NO_VALUES: Values = { name: "", role: "", expires_at: "", source_addresses: "" };
const ACCESS = [{ value: "", label: "Every call" }, ...ROLES.map((role) => ({ value: role, label: ROLE_NAMES[role] }))];

/** Limits that are left empty are not sent. A key works until the end of its last day. */
function bodyOf({ name, role, expires_at: day, source_addresses: addresses }: Values): OperatorApi["POST /keys"]["input"] {
  const known = ROLES.find((one) => one === role);
  const entries = addresses.split(/[\s,;]+/).filter(Boolean);
  return {
    name,
    ...(known === undefined ? {} : { role: known }),
    ...(day === "" ? {} : { expires_at: `${day} 23:59:59` }),
    ...(entries.length === 0 ? {} : { source_addresses: entries }),
  };
}

/** Asks for a name and optional limits, then shows the key once. */
export function NewKey({ onClose }: { readonly onClose: () => void }): ReactNode {
  const form = useForm<Values>({ defaultValues: NO_VALUES });
  const [made, setMade] = useState<NewKeyState | null>(null);
  const { busy, error, attempt } = useAttempt();
  const make = useKeyChange((values: Values) => post("/keys", bodyOf(values)));
  const send = async (values: Values) => {
    try {
      const created = await make.mutateAsync(values);
      setMade({ apiKey: created.api_key ?? "", role: values.role, waits: isWaitingAction(created) });
    } catch (refused) {
      if (!showFieldErrors<Values>(refused, ["name", "role", "expires_at", "source_addresses"], form.setError)) throw refused;
    }
  };
  if (made !== null) return <MadeKey {...made} onStored={onClose} />;
  return (
    <Dialog title="New operator key" onClose={onClose}>
      <form onSubmit={form.handleSubmit((values) => attempt(() => send(values)))} className="space-y-4" noValidate>
        <KeyFields form={form} />
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

function KeyFields({ form: { register, watch, setValue, clearErrors, formState } }: { readonly form: UseFormReturn<Values> }): ReactNode {
  const { errors } = formState;
  const role = ROLES.find((one) => one === watch("role"));
  return (
    <>
      <Field
        label="Key name"
        hint="The program that will use it, such as “Nightly settlement”."
        maxLength={120}
        error={errors.name?.message}
        {...register("name", { required: "Enter a name." })}
      />
      <Select
        label="Access"
        hint={role === undefined ? "The key can do everything that the operator API can do." : ROLE_DESCRIPTIONS[role]}
        options={ACCESS}
        error={errors.role?.message}
        {...register("role")}
      />
      <TimeField
        kind={DAY}
        label="Last day (optional)"
        hint="The key expires at the end of this day in India. Without a day it does not expire."
        error={errors.expires_at?.message}
        value={watch("expires_at")}
        onChange={(day) => {
          setValue("expires_at", day);
          clearErrors("expires_at");
        }}
      />
      <TextArea
        label="Source addresses (optional)"
        hint="Addresses or CIDR ranges such as 203.0.113.0/24, one per line. Without any, the key works from everywhere."
        className="[&_textarea]:font-mono"
        spellCheck={false}
        error={errors.source_addresses?.message}
        {...register("source_addresses")}
      />
    </>
  );
}

function MadeKey({ apiKey, role, waits, onStored }: NewKeyState & { readonly onStored: () => void }): ReactNode {
  return (
    <SecretCard title={waits ? "The key waits for approval" : "The key is ready"} name="Operator key" secret={apiKey} onStored={onStored}>
      {waits && "Store it now. It works after another person has approved it under Approvals. "}
      {role === "" ? "This key can make every call of the operator API." : `This key can make the calls of the role ${accessText(role)}.`}{" "}
      Store it only in your program's secret store.
    </SecretCard>
  );
}
