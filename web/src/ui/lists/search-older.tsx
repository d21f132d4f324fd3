import { Search } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { Button } from "../button.tsx";
import { EmptyState } from "../empty-state.tsx";
import type { List } from "./list.ts";

/**
 * Goes on with a search that has not found anything among the newest entries, until it finds something, has covered
 * everything, or is stopped.
 */
export function SearchOlder({ list }: { readonly list: List<unknown> }): ReactNode {
  const [isStopped, setStopped] = useState(false);
  const { loadingMore, loadMore, loadMoreFailed } = list;
  const goesOn = !isStopped && !loadMoreFailed;
  useEffect(() => {
    if (goesOn && !loadingMore) loadMore();
  }, [goesOn, loadingMore, loadMore]);
  const resume = () => {
    setStopped(false);
    if (loadMoreFailed) loadMore();
  };
  const action = goesOn ? (
    <Button onClick={() => setStopped(true)}>{uiText.stopSearching}</Button>
  ) : (
    <Button busy={loadingMore} onClick={resume}>
      {uiText.searchOlder}
    </Button>
  );
  return (
    <EmptyState icon={Search} action={action}>
      <span role="status">{goesOn ? uiText.searchingOlder : uiText.nothingAmongNewest}</span>
    </EmptyState>
  );
}
