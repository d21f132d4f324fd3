import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { portalText } from "../messages/en/portal.ts";
import { ArchivedNotice } from "../transactions/archived-notice.tsx";
import { get } from "./api.ts";

const archivedQuery = {
  queryKey: ["/archived-months"],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => get("/archived-months", {}, signal),
};

/** The notice about archived months for a list of the portal with the filters From and To. */
export function Archived({ what, from }: { readonly what: string; readonly from: "/shell/transactions" | "/shell/wallet" }): ReactNode {
  const { data } = useQuery(archivedQuery);
  return (
    <ArchivedNotice what={what} months={data?.items.map(({ month }) => month)} days={useSearch({ from })}>
      {portalText.askYourAccountManagerForAn}
    </ArchivedNotice>
  );
}
