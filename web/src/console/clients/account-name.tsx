import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { accountNamesQuery } from "../names.ts";

/** The client's name in a table; the id if the name is not known here. */
export function AccountName({ accountId }: { readonly accountId: string }): ReactNode {
  const name = useQuery(accountNamesQuery).data?.get(accountId);
  return (
    <span className="block max-w-44 truncate" title={name === undefined ? accountId : `${name}, ${accountId}`}>
      {name ?? <span className="font-mono text-[0.8125rem]">{accountId}</span>}
    </span>
  );
}
