import { z } from "zod";
import { indiaDate, indiaMidnight } from "../../../platform/core/india-time.ts";
import { invalidFields, type Refusal } from "../../shared/refusals.ts";
import { type PageInput, pageInput, readCursor, writeCursor } from "../page.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const DEFAULT_DAYS = 7;
const MAX_DAYS = 31;
// Years that both the database and order ids can represent.
const YEAR = /^(?:19[7-9][0-9]|2[0-9]{3})-/;

const day = z.string().refine((text) => YEAR.test(text) && (indiaMidnight(text) ?? -1) >= 0, "must be a day such as 2026-01-31");

/** Contract, section 4: the input of lists with a period. */
export const periodInput = { from: day.optional(), to: day.optional(), ...pageInput };

export type PeriodInput = PageInput & { readonly from?: string | undefined; readonly to?: string | undefined };

export type Period = {
  readonly kind: "period";
  /** Days in India, both inclusive. */
  readonly from: string;
  readonly to: string;
  readonly fromMilliseconds: number;
  /** Exclusive. */
  readonly toMilliseconds: number;
  /** The last item of the previous page; null on the first page. */
  readonly last: string | null;
};

/** The requested days. A cursor contains its days, so that midnight between two pages loses nothing. */
export function readPeriod(asked: PeriodInput, now: number, lastPattern: RegExp): Period | Refusal {
  const cursor = asked.after === undefined ? null : readPeriodCursor(asked.after, lastPattern);
  if (asked.after !== undefined && cursor === null) return invalidFields({ after: "is not a cursor of this list" });
  const to = asked.to ?? cursor?.to ?? indiaDate(now);
  const from = asked.from ?? cursor?.from ?? daysBefore(to, DEFAULT_DAYS - 1);
  const fromMilliseconds = beginOf(from);
  const toMilliseconds = beginOf(to) + DAY_MILLISECONDS;
  if (fromMilliseconds >= toMilliseconds) return invalidFields({ from: "must not be after to" });
  if (toMilliseconds - fromMilliseconds > MAX_DAYS * DAY_MILLISECONDS) {
    return invalidFields({ [asked.from === undefined ? "to" : "from"]: `must be at most ${MAX_DAYS} days from the other end` });
  }
  return { kind: "period", from, to, fromMilliseconds, toMilliseconds, last: cursor?.last ?? null };
}

/** Items and the cursor of the next page; `rows` has one more than the page when there is a next page. */
export function periodPage<Row>(rows: readonly Row[], limit: number, period: Period, nameOf: (row: Row) => string) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = last !== undefined && rows.length > limit;
  return { shown, next: more ? writeCursor(period.from, period.to, nameOf(last)) : null };
}

function readPeriodCursor(text: string, lastPattern: RegExp): { readonly from: string; readonly to: string; readonly last: string } | null {
  const [from = "", to = "", last = "", ...others] = readCursor(text);
  const known = day.safeParse(from).success && day.safeParse(to).success && lastPattern.test(last) && others.length === 0;
  return known ? { from, to, last } : null;
}

function beginOf(date: string): number {
  return indiaMidnight(date) ?? 0;
}

function daysBefore(date: string, days: number): string {
  return indiaDate(beginOf(date) - days * DAY_MILLISECONDS);
}
