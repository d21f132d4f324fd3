import { z } from "zod";
import { indiaDate, indiaMidnight } from "../../kernel/india-time.ts";
import { timeListQuery } from "../../site-kit/lists.ts";
import { type Fault, fault } from "../route.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
// Years that both the database and an order's id can express.
const YEAR = /^(?:19[7-9][0-9]|2[0-9]{3})-/;
const ID = /^[A-Z0-9]{12,32}$/;

export const dayField = z
  .string()
  .refine((text) => YEAR.test(text) && (indiaMidnight(text) ?? -1) >= 0, "Must be a day such as 2026-01-31.");

/** Query of a list whose order is that of ids which begin with their time. */
export const idListQuery = z.object({ limit: timeListQuery.shape.limit, after: z.string().transform(readIdCursor).optional() });

export function writeIdCursor(id: string): string {
  return Buffer.from(id).toString("base64url");
}

function readIdCursor(text: string, ctx: z.RefinementCtx): string {
  const id = Buffer.from(text, "base64url").toString("latin1");
  if (ID.test(id)) return id;
  ctx.addIssue("Must be a `next` of an earlier page.");
  return z.NEVER;
}

export type Days = { readonly fromMilliseconds: number /** Exclusive. */; readonly toMilliseconds: number };

/** India days, both inclusive; without them, from the beginning to now. */
export function daysOf(asked: { readonly from?: string | undefined; readonly to?: string | undefined }, now: number): Days | Fault {
  const fromMilliseconds = asked.from === undefined ? 0 : (indiaMidnight(asked.from) ?? 0);
  const toMilliseconds = (indiaMidnight(asked.to ?? indiaDate(now)) ?? 0) + DAY_MILLISECONDS;
  if (fromMilliseconds < toMilliseconds) return { fromMilliseconds, toMilliseconds };
  return fault("invalid_request", "Not valid: from.", { fields: { from: "Must not be after the last day." } });
}
