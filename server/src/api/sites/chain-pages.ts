import { z } from "zod";
import { HOME_CELL } from "../../platform/core/ids.ts";
import { NO_CURSOR } from "./lists.ts";

/** The entry before which the page begins in the audit chain of each cell. */
export type Places = ReadonlyMap<number, bigint>;

type Numbered = { readonly seq: bigint; readonly at: Date };
type OfCell<Row> = { readonly row: Row; readonly cell: number };

/** The cursor of a list of audit entries. Of one chain it is only a number. */
export const placesField = z.string().transform((text, ctx): Places => {
  const decoded = Buffer.from(text, "base64url").toString("latin1");
  if (/^[0-9]{1,18}$/.test(decoded)) return new Map([[HOME_CELL, BigInt(decoded)]]);
  const places = decoded.split(".").map((part) => /^([0-9]{1,2})-([0-9]{1,18})$/.exec(part));
  if (places.every((place) => place !== null)) return new Map(places.map(([, cell, seq]) => [Number(cell), BigInt(seq ?? 0)]));
  ctx.addIssue(NO_CURSOR);
  return z.NEVER;
});

/** The newest entries of several chains. The cursor holds the place in each of them, because each counts for itself. */
export function mergeChains<Row extends Numbered>(
  chains: readonly { readonly cell: number; readonly rows: readonly Row[] }[],
  limit: number,
  before: Places,
): { readonly shown: readonly OfCell<Row>[]; readonly next: string | null } {
  const shown = takeNewest(chains, limit);
  const places = new Map(before);
  for (const { row, cell } of shown) places.set(cell, row.seq);
  const text = [...places].map(([cell, seq]) => `${cell}-${seq}`).join(".");
  const hasMore = chains.reduce((count, { rows }) => count + rows.length, 0) > limit;
  return { shown, next: hasMore ? Buffer.from(text).toString("base64url") : null };
}

/** Takes the newer of the chains' next entries each time. Within a chain the numbers decide, because a clock may have been set back. */
function takeNewest<Row extends Numbered>(
  chains: readonly { readonly cell: number; readonly rows: readonly Row[] }[],
  limit: number,
): readonly OfCell<Row>[] {
  const left = chains.map(({ cell, rows }) => ({ cell, rows: [...rows] }));
  const taken: OfCell<Row>[] = [];
  while (taken.length < limit) {
    const heads = left.flatMap(({ cell, rows: [row] }) => (row ? [{ row, cell }] : []));
    const [first, ...others] = heads;
    if (first === undefined) break;
    const newest = others.reduce((best, one) => (one.row.at > best.row.at ? one : best), first);
    taken.push(newest);
    left.find(({ cell }) => cell === newest.cell)?.rows.shift();
  }
  return taken;
}
