import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ArchivedNotice } from "../transactions/archived-notice.tsx";
import { get } from "./api.ts";

const archivedQuery = {
  queryKey: ["/archived-months"],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => get("/archived-months", {}, signal),
};

type Props = { readonly what: string; readonly from: "/console/transactions" | "/console/ledger/lines" };

/** The notice about archived months for a list of the console with the filters From and To. */
export function Archived({ what, from }: Props): ReactNode {
  const { data } = useQuery(archivedQuery);
  return (
    <ArchivedNotice what={what} months={data?.items.map(({ month }) => month)} days={useSearch({ from })}>
      An administrator finds them with <code className="font-mono">corprail archive find</code>.
    </ArchivedNotice>
  );
}
