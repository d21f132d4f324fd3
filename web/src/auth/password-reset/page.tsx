import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { signInText } from "../../messages/en/sign-in.ts";
import { fill } from "../../messages/fill.ts";
import { OutsideFrame } from "../../shell/outside-frame.tsx";
import { useSite } from "../../shell/site.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field } from "../../ui/forms/field.tsx";
import { Notice } from "../../ui/page.tsx";
import { authApi } from "../../ui/requests/auth-api.ts";
import { sessionQuery } from "../../ui/requests/session.ts";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { useLinkToken } from "../link-token.ts";
import { NewPassword } from "../new-password.tsx";

/** Sends a reset link by mail. The link opens this page with its token after the #. */
export function PasswordResetPage(): ReactNode {
  const token = useLinkToken();
  return (
    <OutsideFrame title={signInText.resetYourPassword}>{token === "" ? <AskForLink /> : <Choose key={token} token={token} />}</OutsideFrame>
  );
}

function AskForLink(): ReactNode {
  const { data: session } = useQuery(sessionQuery);
  if (session === undefined) return <SkeletonCard lines={3} />;
  return session.mail ? <AskForm /> : <NoMail />;
}

/** An installation without a mail server must not promise a link. */
function NoMail(): ReactNode {
  const { noMailHelp } = useSite();
  return (
    <div className="space-y-4">
      <Notice>{fill(signInText.thisInstallationSendsNoEmail, { noMailHelp })}</Notice>
      <Link to="/sign-in" className="link">
        {signInText.backToSignIn}
      </Link>
    </div>
  );
}

function AskForm(): ReactNode {
  const { register, handleSubmit, formState } = useForm({ defaultValues: { email: "" } });
  const { busy, error, attempt } = useAttempt();
  const [isRequested, setRequested] = useState(false);
  const submit = handleSubmit(async (values) =>
    setRequested(await attempt(() => authApi.postWithoutRedirect("/password/reset-request", values))),
  );
  if (isRequested) {
    return (
      <div className="space-y-4" role="status">
        <Notice tone="good">{signInText.ifAUserHasThis}</Notice>
        <Link to="/sign-in" className="link">
          {signInText.backToSignIn}
        </Link>
      </div>
    );
  }
  return (
    <form onSubmit={submit} className="space-y-4" noValidate>
      <p className="text-soft">{signInText.enterYourEmailAddressTo}</p>
      <Field
        label={signInText.emailAddress}
        type="email"
        autoComplete="username"
        error={formState.errors.email?.message}
        {...register("email", { required: signInText.enterYourEmailAddress })}
      />
      {error !== null && <ErrorCard error={error} />}
      <Button type="submit" look="primary" className="w-full" busy={busy}>
        {signInText.sendLink}
      </Button>
      <p className="text-center">
        <Link to="/sign-in" className="link">
          {signInText.backToSignIn}
        </Link>
      </p>
    </form>
  );
}

function Choose({ token }: { readonly token: string }): ReactNode {
  const [changed, setChanged] = useState(false);
  if (!changed) {
    return (
      <NewPassword
        action={signInText.setNewPassword}
        onChosen={async (password) => {
          await authApi.postWithoutRedirect("/password/reset", { token, password });
          setChanged(true);
        }}
      />
    );
  }
  return (
    <div className="space-y-4" role="status">
      <Notice tone="good">{signInText.thePasswordWasChangedAnd}</Notice>
      <LinkButton to="/sign-in" look="primary" className="w-full">
        {signInText.signIn}
      </LinkButton>
    </div>
  );
}
