import { useQueryClient } from "@tanstack/react-query";
import { Link, useParams, useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { singleSignOnText } from "../../messages/en/single-sign-on.ts";
import { OutsideFrame } from "../../shell/outside-frame.tsx";
import { RefusedEntry } from "../../ui/error-card.tsx";
import { authApi } from "../../ui/requests/auth-api.ts";
import { sessionQuery } from "../../ui/requests/session.ts";
import { readSignIn } from "../sign-in/search.ts";

/** The identity provider sends the browser here. The page passes its answer on and opens the page that was asked for. */
export function SignOnReturnPage(): ReactNode {
  const { providerId } = useParams({ from: "/sso/$providerId" });
  const router = useRouter();
  const queries = useQueryClient();
  const [error, setError] = useState<unknown>(null);
  const complete = async () => {
    const answer = new URLSearchParams(location.search);
    // The code stays neither in the address bar nor in the history.
    history.replaceState(history.state, "", location.pathname);
    const part = (name: string) => answer.get(name) ?? undefined;
    const given = { code: part("code"), iss: part("iss"), error: part("error"), error_description: part("error_description") };
    const input = { provider_id: providerId, state: part("state") ?? "", ...given };
    const { next, stage } = await authApi.postWithoutRedirect("/sign-in/single-sign-on/complete", input);
    queries.removeQueries();
    await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
    const href = readSignIn({ next }).next ?? "/";
    if (stage === "half") await router.navigate({ to: "/sign-in", search: { next: href }, replace: true });
    else await router.navigate({ href, replace: true });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, because the provider's answer can be used only once.
  useEffect(() => void complete().catch(setError), []);
  return (
    <OutsideFrame title={error === null ? singleSignOnText.signingIn : singleSignOnText.signInFailed}>
      {error === null ? (
        <p role="status">{singleSignOnText.theAnswerOfYourIdentity}</p>
      ) : (
        <div className="space-y-5">
          <RefusedEntry error={error} />
          <p className="text-center">
            <Link to="/sign-in" className="link">
              {singleSignOnText.backToTheSignIn}
            </Link>
          </p>
        </div>
      )}
    </OutsideFrame>
  );
}
