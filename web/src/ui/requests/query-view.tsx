import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorCard } from "../error-card.tsx";

type QueryViewProps<Data> = {
  readonly query: UseQueryResult<Data>;
  readonly skeleton: ReactNode;
  readonly children: (data: Data) => ReactNode;
};

/** Shows a query's data, its skeleton while it loads, or its error. */
export function QueryView<Data>({ query, skeleton, children }: QueryViewProps<Data>): ReactNode {
  if (query.data !== undefined) return children(query.data);
  return query.error ? <ErrorCard error={query.error} onRetry={() => void query.refetch()} /> : skeleton;
}
