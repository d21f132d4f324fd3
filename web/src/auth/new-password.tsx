import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { ApiError } from "../ui/api.ts";
import { useAttempt } from "../ui/attempt.ts";
import { Button } from "../ui/button.tsx";
import { ErrorCard } from "../ui/error-card.tsx";
import { Field } from "../ui/field.tsx";

type Values = { password: string; again: string };
const MIN_LENGTH = 12;

type Props = {
  readonly action: string;
  readonly onChosen: (password: string) => Promise<void>;
  /** Fields shown before the password. */
  readonly children?: ReactNode;
};

/** A form for a new password, typed twice. The service checks the password as well. */
export function NewPassword({ action, onChosen, children }: Props): ReactNode {
  const { register, handleSubmit, setError, getValues, formState } = useForm<Values>({ defaultValues: { password: "", again: "" } });
  const { errors } = formState;
  const { busy, error, attempt, forget } = useAttempt();
  const submit = handleSubmit(({ password }) =>
    attempt(async () => {
      await onChosen(password).catch((refused: unknown) => {
        const fault = refused instanceof ApiError ? (refused.fields["password"] ?? refused.fields["next"]) : undefined;
        if (fault === undefined) throw refused;
        setError("password", { message: fault });
      });
    }),
  );
  return (
    <form onSubmit={submit} onChange={forget} className="space-y-4" noValidate>
      {children}
      <Field
        label="New password"
        type="password"
        autoComplete="new-password"
        hint={`At least ${MIN_LENGTH} characters. A phrase of several unrelated words works well.`}
        error={errors.password?.message}
        {...register("password", {
          minLength: { value: MIN_LENGTH, message: `Use at least ${MIN_LENGTH} characters.` },
          required: "Choose a password.",
        })}
      />
      <Field
        label="Repeat the password"
        type="password"
        autoComplete="new-password"
        error={errors.again?.message}
        {...register("again", { validate: (again) => again === getValues("password") || "The passwords do not match." })}
      />
      {error !== null && <ErrorCard error={error} />}
      <Button type="submit" look="primary" className="w-full" busy={busy}>
        {action}
      </Button>
    </form>
  );
}
