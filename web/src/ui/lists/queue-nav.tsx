import { ChevronDown, ChevronUp } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { fill } from "../../messages/fill.ts";
import { IconButton } from "../button.tsx";
import { isTyping } from "../overlays/shortcuts.tsx";
import type { List } from "./list.ts";

type Props<Row> = {
  /** The list behind the drawer, with the page's filters. */
  readonly list: List<Row>;
  readonly keyOf: (row: Row) => string;
  /** The key of the row that the drawer shows. */
  readonly current: string;
  /** Opens another row with the same filters. */
  readonly open: (key: string) => void;
};

/** Previous and next row of the list behind a drawer. A row that has left the list keeps its place, so that "next" follows it. */
export function QueueNav<Row>({ list, keyOf, current, open }: Props<Row>): ReactNode {
  const rows = list.rows ?? [];
  const found = rows.findIndex((row) => keyOf(row) === current);
  const [lastPlace, setLastPlace] = useState(found);
  useEffect(() => {
    if (found >= 0) setLastPlace(found);
  }, [found]);
  const { hasMore, loadingMore, loadMore } = list;
  const isLast = rows.length > 0 && found === rows.length - 1;
  useEffect(() => {
    if (isLast && hasMore && !loadingMore) loadMore();
  }, [isLast, hasMore, loadingMore, loadMore]);
  const place = found >= 0 ? found : lastPlace;
  const previous = rows[place - 1];
  const next = rows[found >= 0 ? place + 1 : place];
  const go = (row: Row | undefined) => (row === undefined ? undefined : open(keyOf(row)));
  useQueueKeys(
    () => go(previous),
    () => go(next),
  );
  if (place < 0) return null;
  return (
    <nav aria-label={uiText.queue} className="flex shrink-0 items-center">
      {found >= 0 && (
        <span className="mr-1 hidden text-soft text-xs tabular-nums sm:inline">
          {fill(uiText.of, { found: found + 1, length: rows.length })}
          {hasMore ? "+" : ""}
        </span>
      )}
      <IconButton
        icon={ChevronUp}
        label={uiText.previousInTheQueue}
        disabled={previous === undefined}
        className={LOOK}
        onClick={() => go(previous)}
      />
      <IconButton
        icon={ChevronDown}
        label={uiText.nextInTheQueue}
        disabled={next === undefined}
        className={LOOK}
        onClick={() => go(next)}
      />
    </nav>
  );
}

const LOOK = "disabled:cursor-not-allowed disabled:opacity-40";

/** K and J, outside text fields and while no other dialog covers the drawer. */
function useQueueKeys(previous: () => void, next: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.composedPath()[0] ?? null);
      if (!isPlain || document.querySelectorAll("dialog[open]").length > 1) return;
      if (event.key === "k") previous();
      else if (event.key === "j") next();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [previous, next]);
}
