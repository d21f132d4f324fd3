import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { signInText } from "../messages/en/sign-in.ts";
import { fill } from "../messages/fill.ts";
import { Button } from "../ui/button.tsx";
import { ErrorCard } from "../ui/error-card.tsx";
import { useAttempt } from "../ui/forms/attempt.ts";
import { Field } from "../ui/forms/field.tsx";
import { ApiError } from "../ui/requests/api.ts";

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
        label={signInText.newPassword}
        type="password"
        autoComplete="new-password"
        hint={fill(signInText.atLeastCharactersAPhrase, { minlength: MIN_LENGTH })}
        error={errors.password?.message}
        {...register("password", {
          minLength: { value: MIN_LENGTH, message: fill(signInText.useAtLeastCharacters, { minlength: MIN_LENGTH }) },
          required: signInText.chooseAPassword,
        })}
      />
      <Field
        label={signInText.repeatThePassword}
        type="password"
        autoComplete="new-password"
        error={errors.again?.message}
        {...register("again", { validate: (again) => again === getValues("password") || signInText.thePasswordsDoNotMatch })}
      />
      {error !== null && <ErrorCard error={error} />}
      <Button type="submit" look="primary" className="w-full" busy={busy}>
        {action}
      </Button>
    </form>
  );
}
