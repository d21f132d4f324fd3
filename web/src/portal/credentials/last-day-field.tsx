import type { ReactNode } from "react";
import type { FieldPath, PathValue, UseFormReturn } from "react-hook-form";
import { tokensText } from "../../messages/en/tokens.ts";
import { TimeField } from "../../ui/forms/time-field.tsx";
import { DAY } from "../../ui/forms/typed-time.ts";

/** The last day on which a token works, in the form of a new or a changed token. */
export function LastDayField<Values extends { readonly expires_at: string }>({
  form,
}: {
  readonly form: UseFormReturn<Values>;
}): ReactNode {
  const name = "expires_at" as FieldPath<Values>;
  return (
    <TimeField
      kind={DAY}
      label={tokensText.lastDayOptional}
      hint={tokensText.expiresAtTheEndOfDay}
      error={form.getFieldState(name, form.formState).error?.message}
      value={form.watch(name)}
      onChange={(day) => {
        form.setValue(name, day as PathValue<Values, typeof name>);
        form.clearErrors(name);
      }}
    />
  );
}
