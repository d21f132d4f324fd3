import { type RefObject, useEffect, useLayoutEffect, useState } from "react";

type Rankable = { readonly header: string; readonly wideOnly?: boolean; readonly leftOutFirst?: boolean };

const NONE: readonly string[] = [];

/**
 * The headers to leave out of a table that is `excess` pixels too wide: those marked to go first, then the others that
 * narrow screens lack, each from the right. A column that narrow screens show always stays.
 */
export function columnsToLeaveOut(columns: readonly Rankable[], widths: readonly number[], excess: number): readonly string[] {
  const candidates = columns
    .map((column, index) => ({ column, width: widths[index] ?? 0 }))
    .filter(({ column, width }, index) => index > 0 && column.wideOnly === true && width > 0)
    .toReversed();
  const ranked = [
    ...candidates.filter(({ column }) => column.leftOutFirst === true),
    ...candidates.filter(({ column }) => column.leftOutFirst !== true),
  ];
  const out: string[] = [];
  let left = excess;
  for (const { column, width } of ranked) {
    if (left <= 0) break;
    out.push(column.header);
    left -= width;
  }
  return out;
}

/** The headers of the columns that do not fit. `contents` changes whenever the table can need another width. */
export function useLeftOutColumns(
  scroller: RefObject<HTMLElement | null>,
  columns: readonly Rankable[],
  contents: string,
): readonly string[] {
  const { width } = useSizes(scroller);
  const now = `${width} ${contents}`;
  const [before, setBefore] = useState({ now, out: NONE });
  const out = before.now === now ? before.out : NONE;
  // After every render, because cells can get wider while the rows stay the same. Only more columns can go.
  useLayoutEffect(() => {
    const element = scroller.current;
    const excess = element === null ? 0 : element.scrollWidth - element.clientWidth;
    if (element === null || excess <= 0) return;
    const shown = columns.filter(({ header }) => !out.includes(header));
    // The first header cell can belong to the boxes that choose rows.
    const cells = [...element.querySelectorAll<HTMLElement>("th")].slice(-shown.length);
    const more = columnsToLeaveOut(
      shown,
      cells.map((cell) => cell.offsetWidth),
      excess,
    );
    if (more.length > 0) setBefore({ now, out: [...out, ...more] });
  });
  return out;
}

type Sizes = { readonly width: number; readonly tableWidth: number };

// The table's own width changes, for example, when its font has loaded.
function useSizes(scroller: RefObject<HTMLElement | null>): Sizes {
  const [sizes, setSizes] = useState<Sizes>({ width: 0, tableWidth: 0 });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const observer = new ResizeObserver(() =>
      setSizes({ width: element.clientWidth, tableWidth: element.firstElementChild?.clientWidth ?? 0 }),
    );
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, [scroller]);
  return sizes;
}
