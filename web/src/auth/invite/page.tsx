import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { OutsideFrame } from "../../shell/outside-frame.tsx";
import { useSite } from "../../shell/site.ts";
import { authApi } from "../../ui/auth-api.ts";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Field } from "../../ui/field.tsx";
import { Facts } from "../../ui/page.tsx";
import { sessionQuery } from "../../ui/session.ts";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { useLinkToken } from "../link-token.ts";
import { NewPassword } from "../new-password.tsx";

export function InvitePage(): ReactNode {
  const token = useLinkToken();
  return (
    <OutsideFrame title="Set up your access">
      {token === "" ? (
        <p className="text-soft">This link is incomplete. Open the whole invitation link, including the part after the #.</p>
      ) : (
        <Accept key={token} token={token} />
      )}
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
          ...(data.account_name ? { Account: data.account_name } : {}),
          ...(data.email === null ? {} : { "You sign in as": data.email }),
          "Your role": roleNames[data.role],
          "Valid until": <Time key="until" value={data.expires_at} />,
        })}
      />
      <NewPassword action="Set up my access" onChosen={accept}>
        {data.email === null && (
          <Field
            label="Your e-mail address"
            type="email"
            autoComplete="email"
            hint="You sign in with this address."
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
        <Field
          label="Your name"
          autoComplete="name"
          hint="Colleagues see it beside the changes you make."
          error={missing ? "Enter your name." : undefined}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </NewPassword>
    </div>
  );
}
