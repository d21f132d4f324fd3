import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { get, postOpen } from "../../ui/api.ts";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Field } from "../../ui/field.tsx";
import { Facts } from "../../ui/page.tsx";
import { type Role, sessionQuery } from "../../ui/session.ts";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { NewPassword } from "../new-password.tsx";
import { ROLE_NAMES } from "../roles.ts";
import { OutsideFrame } from "../shell/outside-frame.tsx";

type Invitation = { readonly email: string; readonly account_name: string; readonly role: Role; readonly expires_at: string };

/** The token stands behind the # of the link: it is in no Referer and in no server's log. */
export function InvitePage(): ReactNode {
  const token = useLocation({ select: (location) => location.hash });
  const router = useRouter();
  const [kept] = useState(token);
  // Out of the address once it was read: not in a screenshot, not in the history.
  useEffect(() => {
    if (token !== "") router.history.replace(router.history.createHref("/portal/invite"));
  }, [token, router]);
  return (
    <OutsideFrame title="Set up your access">
      {kept === "" ? (
        <p className="text-soft">Open the whole link of the invitation, with everything behind the #.</p>
      ) : (
        <Accept token={kept} />
      )}
    </OutsideFrame>
  );
}

function Accept({ token }: { readonly token: string }): ReactNode {
  const [name, setName] = useState("");
  const [missing, setMissing] = useState(false);
  const router = useRouter();
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: ["/invitations/lookup"],
    queryFn: ({ signal }) => get<Invitation>("/invitations/lookup", { token }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <ErrorCard error={error} />;
  if (data === undefined) return <SkeletonCard lines={5} />;
  const accept = async (password: string) => {
    setMissing(name.trim() === "");
    if (name.trim() === "") return;
    await postOpen("/invitations/accept", { token, name: name.trim(), password });
    queries.clear();
    await queries.fetchQuery(sessionQuery);
    await router.navigate({ to: "/", replace: true });
  };
  return (
    <div className="space-y-6">
      <Facts
        facts={Object.entries({
          Account: data.account_name,
          "You sign in as": data.email,
          "Your role": ROLE_NAMES[data.role],
          "Good until": <Time key="until" value={data.expires_at} />,
        })}
      />
      <NewPassword action="Set up my access" onChosen={accept}>
        <Field
          label="Your name"
          autoComplete="name"
          hint="Colleagues see it beside what you change."
          error={missing ? "Enter your name." : undefined}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </NewPassword>
    </div>
  );
}
