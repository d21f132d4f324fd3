import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { countText } from "../../ui/formats/format.ts";
import { Time } from "../../ui/formats/time.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { toastError } from "../../ui/overlays/toast.tsx";
import { post } from "../api.ts";
import { type ProviderList, providerListsQuery } from "./provider.ts";

const NAMES: Readonly<Record<ProviderList["name"], string>> = {
  "bills.billers": "Billers",
  "transfers.banks": "Banks for transfers",
  "bus.cities": "Cities",
  "aeps.banks": "Banks for AEPS",
  plans: "Plans",
};

/** The provider's lists with their age. Clients see the last good version of each. */
export function ProviderLists({ provider, isAllowed }: { readonly provider: string; readonly isAllowed: boolean }): ReactNode {
  const { data: lists = [] } = useQuery(providerListsQuery(provider));
  if (lists.length === 0) return null;
  return (
    <section aria-labelledby="lists" className="space-y-3">
      <h3 id="lists" className="font-semibold">
        Lists
      </h3>
      <ul className="space-y-2">
        {lists.map((list) => (
          <ListLine key={`${list.name} ${list.key}`} list={list} />
        ))}
      </ul>
      {isAllowed && <Refresh provider={provider} hasFailure={lists.some(({ failure }) => failure !== null)} />}
    </section>
  );
}

function ListLine({ list }: { readonly list: ProviderList }): ReactNode {
  return (
    <li className="rounded-lg border border-line px-3 py-2">
      <p className="flex flex-wrap items-center justify-between gap-3">
        <span>
          {NAMES[list.name]} {list.key} ({countText(list.items)})
        </span>
        {list.failure === null ? <Badge tone="good">Up to date</Badge> : <Badge tone="bad">Not refreshed</Badge>}
      </p>
      <p className="text-soft text-xs">
        {list.refreshed_at === null ? (
          "Never read"
        ) : (
          <>
            Read <Time value={list.refreshed_at} />
          </>
        )}
      </p>
      {list.failure !== null && <p className="break-words text-sm">{list.failure}</p>}
    </li>
  );
}

function Refresh({ provider, hasFailure }: { readonly provider: string; readonly hasFailure: boolean }): ReactNode {
  const queries = useQueryClient();
  const { busy, attempt } = useAttempt();
  const refresh = (acceptSmaller: boolean) =>
    void attempt(async () => {
      await post("/providers/:provider/lists/refresh", { provider, accept_smaller: acceptSmaller }).catch(toastError);
      await queries.invalidateQueries({ queryKey: ["/providers", provider] });
    });
  return (
    <p className="flex flex-wrap gap-2">
      <Button disabled={busy} onClick={() => refresh(false)}>
        Refresh now
      </Button>
      {hasFailure && (
        <Button disabled={busy} onClick={() => refresh(true)}>
          Refresh and accept a smaller list
        </Button>
      )}
    </p>
  );
}
