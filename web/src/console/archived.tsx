import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ArchivedNotice } from "../transactions/archived-notice.tsx";
import { get } from "./api.ts";

const archivedQuery = {
  queryKey: ["/archived-months"],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => get("/archived-months", {}, signal),
};

type Days = { readonly from?: string | undefined; readonly to?: string | undefined };
type Props = { readonly what: string; readonly from: "/console/transactions" | "/console/ledger/lines" };

/** The notice about archived months for a list of the console with the filters From and To. */
export function Archived({ what, from }: Props): ReactNode {
  return <ArchivedIn what={what} days={useSearch({ from })} />;
}

/** The same for a page about these days. */
export function ArchivedIn({ what, days }: { readonly what: string; readonly days: Days }): ReactNode {
  const { data } = useQuery(archivedQuery);
  return (
    <ArchivedNotice what={what} months={data?.items.map(({ month }) => month)} days={days}>
      An administrator finds them with <code className="font-mono">corprail archive find</code>.
    </ArchivedNotice>
  );
}
