import { useSyncExternalStore } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { fill, listText } from "../../messages/fill.ts";

/** The cells that the latest list lacks, such as "1, 2"; null when it is complete. */
let missing: string | null = null;
const listeners = new Set<() => void>();

/** Records the header of a reply. Only lists of several cells have it; "none" means that they are complete. */
export function noteMissingCells(header: string | null): void {
  const now = header === "none" ? null : header;
  if (header === null || now === missing) return;
  missing = now;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** What to tell staff about records that the lists lack; null while they are complete. */
export function useMissingCells(): string | null {
  const cells = useSyncExternalStore(subscribe, () => missing);
  return cells === null ? null : missingCellsText(cells);
}

export function missingCellsText(cells: string): string {
  const names = cells.split(", ").map((cell) => (cell === "0" ? uiText.homeCell : fill(uiText.cell, { cell })));
  const [first = "", ...rest] = names;
  const subject = listText([`${first.charAt(0).toUpperCase()}${first.slice(1)}`, ...rest]);
  return names.length === 1 ? fill(uiText.doesNotAnswerItsRecords, { subject }) : fill(uiText.doNotAnswerTheirRecords, { subject });
}
