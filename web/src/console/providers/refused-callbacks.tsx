import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Badge } from "../../ui/formats/badge.tsx";
import { CodeBlock } from "../../ui/formats/code-block.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { Card } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { type RefusedCallback, refusedCallbacksQuery, unknownProviderCallbacksQuery } from "./provider.ts";

/** Callbacks sent in the provider's name that the service refused. */
export function RefusedCallbacks({ provider }: { readonly provider: string }): ReactNode {
  const query = useQuery(refusedCallbacksQuery(provider));
  return (
    <section aria-labelledby="refused-callbacks" className="space-y-3">
      <h3 id="refused-callbacks" className="font-semibold">
        Refused callbacks
      </h3>
      <QueryView query={query} skeleton={<SkeletonCard lines={3} />}>
        {(refused) => <List refused={refused} />}
      </QueryView>
    </section>
  );
}

/** Callbacks whose address names no provider, for example after a provider was renamed; nothing while there are none. */
export function UnknownProviderCallbacks(): ReactNode {
  const { data } = useQuery(unknownProviderCallbacksQuery);
  if (data === undefined || data.length === 0) return null;
  return (
    <Card
      title="Callbacks for unknown providers"
      hint="Compare the address that the provider calls with the one on the provider's page."
      className="mt-6"
    >
      <List refused={data} />
    </Card>
  );
}

function List({ refused }: { readonly refused: readonly RefusedCallback[] }): ReactNode {
  if (refused.length === 0) {
    return (
      <p className="text-soft">
        No callbacks were refused in the last 30 days. A callback with a wrong key, an unknown reference or an unknown status will appear
        here with the reason.
      </p>
    );
  }
  return (
    <ul className="space-y-2">
      {refused.map((callback) => (
        <RefusedCallbackItem key={callback.refusal_id} refused={callback} />
      ))}
    </ul>
  );
}

function RefusedCallbackItem({ refused }: { readonly refused: RefusedCallback }): ReactNode {
  const { reason, authentic, message, method, source, reference, excerpt } = refused;
  return (
    <li className="space-y-2 rounded-lg border border-line px-3 py-2">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={authentic ? "wait" : "bad"}>{reason.replaceAll("_", " ")}</Badge>
        <Time value={refused.at} />
        <span className="text-soft text-xs">
          {method} from {source}
          {reference !== null && `, reference ${reference}`}
        </span>
      </p>
      <p className="break-words">{message}</p>
      {excerpt !== "" && <CodeBlock title="Request with keys hidden" code={excerpt} />}
    </li>
  );
}
