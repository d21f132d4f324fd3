import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { useLinkToken } from "../../auth/link-token.ts";
import { portalText } from "../../messages/en/portal.ts";
import { OutsideFrame } from "../../shell/outside-frame.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { sessionQuery } from "../../ui/requests/session.ts";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { postWithoutRedirect } from "../api.ts";

// The link works once, but React may run the effect twice.
const requests = new Map<string, Promise<unknown>>();

function openOnce(token: string): Promise<unknown> {
  const request = requests.get(token) ?? postWithoutRedirect("/view", { token });
  requests.set(token, request);
  return request;
}

/** The page that the console opens when staff view a client's portal. */
export function ViewPage(): ReactNode {
  const token = useLinkToken();
  const router = useRouter();
  const queries = useQueryClient();
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    if (token === "") return;
    const enter = async () => {
      await openOnce(token);
      queries.clear();
      await queries.fetchQuery(sessionQuery);
      await router.navigate({ to: "/", replace: true });
    };
    void enter().catch(setError);
  }, [token, queries, router]);
  return (
    <OutsideFrame title={portalText.clientPortal}>
      {error !== null && <ErrorCard error={error} />}
      {error === null && token !== "" && <SkeletonCard />}
      {token === "" && <p className="text-soft">{portalText.thisLinkIsIncompleteOpen}</p>}
    </OutsideFrame>
  );
}
