import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { ApiError } from "../ui/api.ts";
import { useAttempt } from "../ui/attempt.ts";
import { Button } from "../ui/button.tsx";
import { ErrorCard } from "../ui/error-card.tsx";
import { Field } from "../ui/field.tsx";

type Values = { password: string; again: string };
const LEAST = 12;

type Props = {
  readonly action: string;
  readonly onChosen: (password: string) => Promise<void>;
  /** Fields that belong before the password. */
  readonly children?: ReactNode;
};

/** Chooses a password: long, typed twice. The service has the last word. */
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
        hint={`At least ${LEAST} characters; a few words that only you put together are good.`}
        error={errors.password?.message}
        {...register("password", { minLength: { value: LEAST, message: `At least ${LEAST} characters.` }, required: "Choose a password." })}
      />
      <Field
        label="The same again"
        type="password"
        autoComplete="new-password"
        error={errors.again?.message}
        {...register("again", { validate: (again) => again === getValues("password") || "The two are not the same." })}
      />
      {error !== null && <ErrorCard error={error} />}
      <Button type="submit" look="primary" className="w-full" busy={busy}>
        {action}
      </Button>
    </form>
  );
}
