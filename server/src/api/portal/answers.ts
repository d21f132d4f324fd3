import { z } from "zod";
import { indiaDateTime, indiaMoment } from "../../platform/core/india-time.ts";
import { type Fault, fault } from "./route.ts";

export function time(at: Date): string {
  return indiaDateTime(at.getTime());
}

/** Who a change is on record for. */
export function actorOf(session: { readonly userId: string }): string {
  return `user:${session.userId}`;
}

/** Null for a change that was made. */
export function changeFault(result: { readonly kind: string; readonly reason?: string }): Fault | null {
  if (result.kind === "done") return null;
  return result.kind === "conflict" ? fault("conflict", result.reason ?? "That cannot be done now.") : notFound("account");
}

export function notFound(what: string): Fault {
  return fault("not_found", `There is no such ${what}.`);
}

export const nothing = z.strictObject({});

/** A filter that was left empty is none. */
export function filter<Value>(schema: z.ZodType<Value, string | number>): z.ZodType<Value | undefined> {
  return z.union([z.literal("").transform(() => undefined), schema]).optional();
}

/** A time in India, a day, or Unix seconds. */
export const moment = z.union([z.string(), z.number()]).transform((value, ctx) => {
  const milliseconds = /^[0-9]{1,10}$/.test(String(value)) ? Number(value) * 1000 : indiaMoment(String(value));
  // No time here is before 1970, and the database has no year 0.
  if (milliseconds !== null && milliseconds >= 0) return milliseconds;
  ctx.addIssue("Must be a time YYYY-MM-DD HH:MM:SS or a day YYYY-MM-DD in India, or Unix seconds.");
  return z.NEVER;
});

/** Whatever an id of ours could look like; anything else nobody has. */
export const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
