import { z } from "zod";
import { indiaDateTime, indiaMoment } from "../../platform/core/india-time.ts";
import { conflict, noSuch, type Refusal } from "../sites/actions/refusal.ts";

export function time(at: Date): string {
  return indiaDateTime(at.getTime());
}

/** The actor of a change for the audit log. */
export function actorOf(session: { readonly userId: string }): string {
  return `user:${session.userId}`;
}

/** Why a change was not made; null if it was. */
export function changeRefusal(result: { readonly kind: string; readonly reason?: string }): Refusal | null {
  if (result.kind === "done") return null;
  return result.kind === "conflict" ? conflict(result.reason ?? "The current state does not allow this.") : noSuch("account");
}

export const nothing = z.strictObject({});

/** Treats an empty filter as absent. */
export function filter<Value>(schema: z.ZodType<Value, string | number>): z.ZodType<Value | undefined> {
  return z.union([z.literal("").transform(() => undefined), schema]).optional();
}

const WRONG_MOMENT = "Must be a time YYYY-MM-DD HH:MM:SS or a day YYYY-MM-DD in India, or Unix seconds.";

/** A time in India, a day, or Unix seconds. */
export const moment = z.union([z.string(), z.number()], WRONG_MOMENT).transform((value, ctx) => {
  const milliseconds = /^[0-9]{1,10}$/.test(String(value)) ? Number(value) * 1000 : indiaMoment(String(value));
  // Times before 1970 do not occur, and PostgreSQL has no year 0.
  if (milliseconds !== null && milliseconds >= 0) return milliseconds;
  ctx.addIssue(WRONG_MOMENT);
  return z.NEVER;
});

/** Matches every possible id. Anything else is unknown. */
export const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
