import { z } from "zod";

const MAX_LIMIT = 200;
const DEFAULT_LIMIT = 50;
const LIMIT = /^[1-9][0-9]{0,2}$/;

const limit = z
  .string()
  .refine((text) => LIMIT.test(text) && Number(text) <= MAX_LIMIT, `Must be a whole number from 1 to ${MAX_LIMIT}.`)
  .transform(Number)
  .default(DEFAULT_LIMIT);

export const NO_CURSOR = "Must be a `next` of an earlier page.";

/** Query of a list ordered by time and id. */
export const timeListQuery = z.object({ limit, after: z.string().transform(readTimeCursor).optional() });

/** Query of a list ordered by number. */
export const numberListQuery = z.object({ limit, after: z.string().transform(readNumberCursor).optional() });

/** Query of a list ordered by ids that start with their time. */
export const idListQuery = z.object({ limit, after: z.string().transform(readIdCursor).optional() });

/** Query of a list in memory. */
export const shortListQuery = z.object({ limit, after: z.string().max(200).transform(decode).optional() });

export type TimeCursor = { readonly at: Date; readonly id: string };

export type Page<Item> = { readonly ok: true; readonly items: readonly Item[]; readonly next: string | null };

/** Builds a page from its rows and one extra row, which shows whether there is a next page. */
export function toPage<Row, Item>(rows: readonly Row[], size: number, show: (row: Row) => Item, cursor: (row: Row) => string): Page<Item> {
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  const items = shown.map((row) => withCursor(show(row), () => cursor(row)));
  return { ok: true, items, next: last !== undefined && rows.length > size ? cursor(last) : null };
}

const cursors = new WeakMap<object, () => string>();

/** Remembers the cursor after an item, which merging the pages of several cells needs. */
export function withCursor<Item>(item: Item, cursor: () => string): Item {
  if (typeof item === "object" && item !== null) cursors.set(item, cursor);
  return item;
}

/**
 * One page from the pages of several cells. What lies beyond the nearest `next` is left out, because the cell that gave it may
 * have more there; the following page begins with it.
 */
export function mergePages<Item>(
  pages: readonly Page<Item>[],
  size: number,
  order: "newest first" | "ascending" = "newest first",
): Page<Item> {
  const direction = order === "ascending" ? 1 : -1;
  const compare = (one: string, other: string) => direction * compareCursors(one, other);
  const ends = pages.flatMap(({ next }) => next ?? []).sort(compare);
  const [end] = ends;
  const placed = pages.flatMap(({ items }) => items.map((item) => ({ item, cursor: cursorOf(item) })));
  const known = placed.filter(({ cursor }) => end === undefined || compare(cursor, end) <= 0).sort((a, b) => compare(a.cursor, b.cursor));
  const shown = known.slice(0, size);
  const next = known.length > size ? (shown.at(-1)?.cursor ?? null) : (end ?? null);
  return { ok: true, items: shown.map(({ item }) => item), next };
}

function cursorOf(item: unknown): string {
  const cursor = typeof item === "object" && item !== null ? cursors.get(item) : undefined;
  if (!cursor) throw new Error("An item of a list of several cells has no cursor.");
  return cursor();
}

/** Compares part by part, numbers as numbers. */
function compareCursors(one: string, other: string): number {
  const [left, right] = [decode(one).split("."), decode(other).split(".")];
  for (const [place, part] of left.entries()) {
    const against = right[place] ?? "";
    if (part === against) continue;
    const areNumbers = /^[0-9]+$/.test(part) && /^[0-9]+$/.test(against);
    return areNumbers ? Number(BigInt(part) - BigInt(against)) : part < against ? -1 : 1;
  }
  return 0;
}

/** A page of a list in memory. The cursor is the last item's name; null if no item has that name. */
export function shortPage<Row, Item>(
  all: readonly Row[],
  { limit: size, after }: { readonly limit: number; readonly after?: string | undefined },
  show: (row: Row) => Item,
  nameOf: (row: Row) => string,
): Page<Item> | null {
  const from = after === undefined ? 0 : all.findIndex((row) => nameOf(row) === after) + 1;
  if (after !== undefined && from === 0) return null;
  return toPage(all.slice(from, from + size + 1), size, show, (row) => encode(nameOf(row)));
}

export function writeTimeCursor(cursor: TimeCursor): string {
  return encode(`${cursor.at.getTime()}.${cursor.id}`);
}

export function writeNumberCursor(value: bigint): string {
  return encode(value.toString());
}

export function writeIdCursor(id: string): string {
  return encode(id);
}

function readIdCursor(text: string, ctx: z.RefinementCtx): string {
  const [id] = /^[A-Z0-9]{12,32}$/.exec(decode(text)) ?? [];
  if (id !== undefined) return id;
  ctx.addIssue(NO_CURSOR);
  return z.NEVER;
}

function readTimeCursor(text: string, ctx: z.RefinementCtx): TimeCursor {
  const [, milliseconds, id] = /^([0-9]{1,13})\.([A-Z0-9]{1,40})$/.exec(decode(text)) ?? [];
  if (milliseconds !== undefined && id !== undefined) return { at: new Date(Number(milliseconds)), id };
  ctx.addIssue(NO_CURSOR);
  return z.NEVER;
}

function readNumberCursor(text: string, ctx: z.RefinementCtx): bigint {
  const [digits] = /^[0-9]{1,18}$/.exec(decode(text)) ?? [];
  if (digits !== undefined) return BigInt(digits);
  ctx.addIssue(NO_CURSOR);
  return z.NEVER;
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64url");
}

function decode(text: string): string {
  return Buffer.from(text, "base64url").toString("latin1");
}
