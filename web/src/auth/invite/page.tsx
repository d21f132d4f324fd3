import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { signInText } from "../../messages/en/sign-in.ts";
import { OutsideFrame } from "../../shell/outside-frame.tsx";
import { useSite } from "../../shell/site.ts";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { Facts } from "../../ui/page.tsx";
import { authApi } from "../../ui/requests/auth-api.ts";
import { sessionQuery } from "../../ui/requests/session.ts";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { useLinkToken } from "../link-token.ts";
import { NewPassword } from "../new-password.tsx";

export function InvitePage(): ReactNode {
  const token = useLinkToken();
  return (
    <OutsideFrame title={signInText.setUpYourAccess}>
      {token === "" ? <p className="text-soft">{signInText.thisLinkIsIncompleteOpen}</p> : <Accept key={token} token={token} />}
    </OutsideFrame>
  );
}

function Accept({ token }: { readonly token: string }): ReactNode {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [missing, setMissing] = useState(false);
  const { roleNames } = useSite();
  const router = useRouter();
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: ["/invitations/lookup", token],
    queryFn: () => authApi.postWithoutRedirect("/invitations/lookup", { token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <ErrorCard error={error} />;
  if (data === undefined) return <SkeletonCard lines={5} />;
  const accept = async (password: string) => {
    setMissing(name.trim() === "");
    if (name.trim() === "") return;
    await authApi.postWithoutRedirect("/invitations/accept", {
      token,
      name: name.trim(),
      password,
      ...(data.email === null ? { email } : {}),
    });
    queries.clear();
    await queries.fetchQuery(sessionQuery);
    await router.navigate({ to: "/", replace: true });
  };
  return (
    <div className="space-y-6">
      <Facts
        facts={Object.entries({
          ...(data.account_name ? { [signInText.account]: data.account_name } : {}),
          ...(data.email === null ? {} : { [signInText.youSignInAs]: data.email }),
          [signInText.yourRole]: roleNames[data.role],
          [signInText.validUntil]: <Time key="until" value={data.expires_at} />,
        })}
      />
      <NewPassword action={signInText.setUpMyAccess} onChosen={accept}>
        {data.email === null && (
          <Field
            label={signInText.yourEmailAddress}
            type="email"
            autoComplete="email"
            hint={signInText.youSignInWithThis}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
        <Field
          label={signInText.yourName}
          autoComplete="name"
          hint={signInText.colleaguesSeeItBesideThe}
          error={missing ? signInText.enterYourName : undefined}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </NewPassword>
    </div>
  );
}
