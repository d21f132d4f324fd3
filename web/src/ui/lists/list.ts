import { type UseQueryResult, useInfiniteQuery } from "@tanstack/react-query";
import { get, type Query } from "../requests/api.ts";

type Page<Row> = { readonly items: readonly Row[]; readonly next: string | number | null };

export type List<Row> = {
  /** Undefined until the first page has loaded. */
  readonly rows: readonly Row[] | undefined;
  readonly error: unknown;
  readonly refetch: () => void;
  readonly hasMore: boolean;
  readonly loadingMore: boolean;
  readonly loadMore: () => void;
  readonly loadMoreFailed: boolean;
};

// Refreshing a list reads all of its pages again.
const MOST_PAGES_TO_REFRESH = 5;

/** Reads a paginated API list `{items, next}`. `query` comes from the search parameters. */
export function useList<Row>(path: string, query: Query = {}, refetchMilliseconds?: number): List<Row> {
  const list = useInfiniteQuery({
    queryKey: [path, "list", query],
    queryFn: ({ pageParam, signal }) => get<Page<Row>>(path, { ...query, after: pageParam }, signal),
    initialPageParam: null as string | number | null,
    getNextPageParam: (page) => page.next,
    refetchInterval: ({ state: { data } }) => ((data?.pages.length ?? 0) <= MOST_PAGES_TO_REFRESH ? (refetchMilliseconds ?? false) : false),
  });
  return {
    rows: list.data?.pages.flatMap((page) => page.items),
    error: list.data === undefined ? list.error : null,
    refetch: () => void list.refetch(),
    hasMore: list.hasNextPage,
    loadingMore: list.isFetchingNextPage,
    loadMore: () => void list.fetchNextPage(),
    loadMoreFailed: list.isFetchNextPageError,
  };
}

/** A list that was read as a whole. `rows` are those that match the filters. */
export function wholeList<Row>(query: UseQueryResult<readonly Row[]>, rows: readonly Row[] | undefined = query.data): List<Row> {
  return {
    rows,
    error: query.data === undefined ? query.error : null,
    refetch: () => void query.refetch(),
    hasMore: false,
    loadingMore: false,
    loadMore: () => undefined,
    loadMoreFailed: false,
  };
}
