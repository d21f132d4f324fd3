import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { useLinkToken } from "../../auth/link-token.ts";
import { OutsideFrame } from "../../shell/outside-frame.tsx";
import { postOpen } from "../../ui/api.ts";
import { ErrorCard } from "../../ui/error-card.tsx";
import { sessionQuery } from "../../ui/session.ts";
import { SkeletonCard } from "../../ui/skeleton.tsx";

// A link opens the portal once, and a page may be drawn twice.
const opened = new Map<string, Promise<unknown>>();

function openOnce(token: string): Promise<unknown> {
  const opening = opened.get(token) ?? postOpen("/view", { token });
  opened.set(token, opening);
  return opening;
}

/** Where the console sends staff who look at a client's portal. */
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
    <OutsideFrame title="A client's portal">
      {error !== null && <ErrorCard error={error} />}
      {error === null && token !== "" && <SkeletonCard />}
      {token === "" && <p className="text-soft">Open the portal from the client's account at the console.</p>}
    </OutsideFrame>
  );
}
