import { useQuery } from "@tanstack/react-query";
import { Building2 } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { signInText } from "../../messages/en/sign-in.ts";
import { fill } from "../../messages/fill.ts";
import { Button } from "../../ui/button.tsx";
import { RefusedEntry } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field } from "../../ui/forms/field.tsx";
import { authApi } from "../../ui/requests/auth-api.ts";
import { sessionQuery } from "../../ui/requests/session.ts";

/** Signs in through an identity provider: that of the site, or the one that is responsible for an email address. */
export function SignOn({ next }: { readonly next: string }): ReactNode {
  const { data: session } = useQuery(sessionQuery);
  const offer = session?.signed_in === false ? session.single_sign_on : undefined;
  const { busy, error, attempt } = useAttempt();
  const [email, setEmail] = useState<string | null>(null);
  if (offer === undefined) return null;
  const start = (input: { readonly email?: string }) =>
    attempt(async () => location.assign((await authApi.postWithoutRedirect("/sign-in/single-sign-on", { next, ...input })).redirect_url));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void start({ email: email ?? "" });
  };
  return (
    <div className="space-y-3">
      {email === null ? (
        <Button icon={Building2} className="w-full" busy={busy} onClick={() => (offer.name === null ? setEmail("") : void start({}))}>
          {offer.name === null ? signInText.signInWithSingleSign : fill(signInText.signInWith, { name: offer.name })}
        </Button>
      ) : (
        <form onSubmit={submit} className="space-y-3" noValidate>
          <Field
            label={signInText.workEmailAddress}
            type="email"
            autoComplete="username"
            hint={signInText.itTellsWhichIdentityProvider}
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
          <Button type="submit" icon={Building2} className="w-full" busy={busy} disabled={email.trim() === ""}>
            {signInText.continueToSingleSignOn}
          </Button>
        </form>
      )}
      {error !== null && <RefusedEntry error={error} />}
    </div>
  );
}
