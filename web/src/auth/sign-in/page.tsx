import { useQueryClient } from "@tanstack/react-query";
import { Link, useRouter, useSearch } from "@tanstack/react-router";
import { FingerprintPattern } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { signInText } from "../../messages/en/sign-in.ts";
import { OutsideFrame } from "../../shell/outside-frame.tsx";
import { Button } from "../../ui/button.tsx";
import { RefusedEntry } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { provePasskey } from "../../ui/requests/passkey.ts";
import { type SecondFactor, sessionQuery } from "../../ui/requests/session.ts";
import { PasswordForm } from "./password-form.tsx";
import { readSignIn } from "./search.ts";
import { SecondStep } from "./second-step.tsx";
import { SignOn } from "./sign-on.tsx";

/** Signs in through an identity provider, with a password and the second factor, or with a passkey alone. */
export function SignInPage(): ReactNode {
  // Validated again here, because this value decides where the browser goes.
  const { next } = readSignIn(useSearch({ from: "/sign-in" }));
  const router = useRouter();
  const queries = useQueryClient();
  const [pendingMethods, setPendingMethods] = useState<readonly SecondFactor[] | null>(null);
  const enter = async () => {
    // Removes the previous user's data. The session is read again instead, because the page shows its mode.
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
    const session = await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
    if (session.signed_in && session.stage === "half") return setPendingMethods(session.methods);
    // The router redirects users who have no second factor yet.
    if (session.signed_in) await router.navigate({ href: next ?? "/", replace: true });
  };
  // A user who has already entered the password continues with the second factor.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens.
  useEffect(() => void enter().catch(() => undefined), []);
  return (
    <OutsideFrame title={pendingMethods === null ? signInText.signIn : signInText.secondStep}>
      {pendingMethods === null ? (
        <FirstStep onEntered={enter} next={next ?? "/"} />
      ) : (
        <SecondStep methods={pendingMethods} onEntered={enter} onBack={() => setPendingMethods(null)} />
      )}
    </OutsideFrame>
  );
}

function FirstStep({ onEntered, next }: { readonly onEntered: () => Promise<void>; readonly next: string }): ReactNode {
  const { busy, error, attempt } = useAttempt();
  const withPasskey = () =>
    attempt(async () => {
      await provePasskey("/sign-in/passkey");
      await onEntered();
    });
  return (
    <div className="space-y-5">
      <SignOn next={next} />
      <Button icon={FingerprintPattern} className="w-full" busy={busy} onClick={() => void withPasskey()}>
        {signInText.signInWithAPasskey}
      </Button>
      {error !== null && <RefusedEntry error={error} />}
      <div className="flex items-center gap-3 text-soft text-xs">
        <span className="h-px grow bg-line" />
        {signInText.orWithYourPassword}
        <span className="h-px grow bg-line" />
      </div>
      <PasswordForm onEntered={onEntered} />
      <p className="text-center">
        <Link to="/password-reset" className="link">
          {signInText.forgotYourPassword}
        </Link>
      </p>
    </div>
  );
}
