import { z } from "zod";
import { indiaDate, indiaMidnight } from "../../platform/core/india-time.ts";
import { invalidFields, type Refusal } from "../shared/refusals.ts";
import { type Complaint, isComplaintRef } from "./complaint.ts";
import type { ComplaintCursor } from "./store.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
// Earlier than any complaint.
const FIRST_DAY = "2000-01-01";
const LIMIT = /^(?:[1-9][0-9]?|1[0-9][0-9]|200)$/;
const YEAR = /^(?:19[7-9][0-9]|2[0-9]{3})-/;
// Thirteen digits of milliseconds reach the year 2286. Later times of a forged cursor could not be sent to the database.
const CURSOR = /^([0-9-]{10}) ([0-9-]{10}) ([0-9]{1,13}) (.+)$/;
const NO_CURSOR = "is not a cursor of this list";

const day = z.string().refine((text) => YEAR.test(text) && (indiaMidnight(text) ?? -1) >= 0, "must be a day such as 2026-01-31");

/** Contract, sections 1 and 5: the input of the list of complaints. */
export const periodInput = {
  from: day.optional(),
  to: day.optional(),
  limit: z
    .string()
    .regex(LIMIT, "must be a whole number from 1 to 200")
    .optional()
    .transform((text) => (text === undefined ? 50 : Number(text))),
  after: z.string().max(200, NO_CURSOR).optional(),
};

type PeriodInput = { readonly from?: string | undefined; readonly to?: string | undefined; readonly after?: string | undefined };

export type Period = {
  readonly kind: "period";
  /** Days in India, both inclusive. */
  readonly from: string;
  readonly to: string;
  readonly fromMilliseconds: number;
  /** Exclusive. */
  readonly toMilliseconds: number;
  /** The last complaint of the previous page. */
  readonly last: ComplaintCursor | null;
};

/**
 * The requested days; without them, all until today. A cursor contains its days, so that midnight between two pages loses
 * nothing.
 */
export function readPeriod(asked: PeriodInput, now: number): Period | Refusal {
  const cursor = asked.after === undefined ? null : readCursor(asked.after);
  if (asked.after !== undefined && cursor === null) return invalidFields({ after: NO_CURSOR });
  const to = asked.to ?? cursor?.to ?? indiaDate(now);
  const from = asked.from ?? cursor?.from ?? FIRST_DAY;
  const fromMilliseconds = beginOf(from);
  const toMilliseconds = beginOf(to) + DAY_MILLISECONDS;
  if (fromMilliseconds >= toMilliseconds) return invalidFields({ from: "must not be after to" });
  return { kind: "period", from, to, fromMilliseconds, toMilliseconds, last: cursor?.last ?? null };
}

/** The cursor of the page after a complaint. */
export function cursorAfter(period: Period, last: Complaint): string {
  return Buffer.from(`${period.from} ${period.to} ${last.raisedAt} ${last.complaintRef}`).toString("base64url");
}

function readCursor(text: string): { readonly from: string; readonly to: string; readonly last: ComplaintCursor } | null {
  const [, from = "", to = "", raisedAt = "", complaintRef = ""] = CURSOR.exec(Buffer.from(text, "base64url").toString()) ?? [];
  const known = day.safeParse(from).success && day.safeParse(to).success && isComplaintRef(complaintRef);
  return known ? { from, to, last: { raisedAt: Number(raisedAt), complaintRef } } : null;
}

function beginOf(date: string): number {
  return indiaMidnight(date) ?? 0;
}
