import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { signInText } from "../../messages/en/sign-in.ts";
import { Button } from "../../ui/button.tsx";
import { RefusedEntry } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field } from "../../ui/forms/field.tsx";
import { authApi } from "../../ui/requests/auth-api.ts";

type Values = { email: string; password: string };

export function PasswordForm({ onEntered }: { readonly onEntered: () => Promise<void> }): ReactNode {
  const { register, handleSubmit, formState } = useForm<Values>({ defaultValues: { email: "", password: "" } });
  const { errors } = formState;
  const { busy, error, attempt } = useAttempt();
  const submit = handleSubmit((values) =>
    attempt(async () => {
      await authApi.postWithoutRedirect("/sign-in", values);
      await onEntered();
    }),
  );
  return (
    <form onSubmit={submit} className="space-y-4" noValidate>
      <Field
        label={signInText.emailAddress}
        type="email"
        autoComplete="username"
        error={errors.email?.message}
        {...register("email", { required: signInText.enterYourEmailAddress })}
      />
      <Field
        label={signInText.password}
        type="password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...register("password", { required: signInText.enterYourPassword })}
      />
      {error !== null && <RefusedEntry error={error} />}
      <Button type="submit" look="primary" className="w-full" busy={busy}>
        {signInText.signIn}
      </Button>
    </form>
  );
}
