import type { Browser } from "../../domain/auth/context.ts";
import type { WeakPassword } from "../../domain/auth/passwords/change-password.ts";
import type { Stage } from "../../domain/auth/sessions/session-store.ts";
import { SESSION_SECONDS } from "../../domain/auth/sessions/start-session.ts";
import type { Throttled } from "../../domain/auth/sessions/throttle.ts";
import { type CookieChange, type Fault, fault, json, type SiteAnswer, type SiteSession, type Visit } from "../sites/route.ts";
import type { AuthTools } from "./context.ts";

/** The browser of a request, as stored with a session. */
export function browserOf({ address, userAgent, devices }: Visit<unknown, SiteSession | null>): Browser {
  return { address, userAgent, devices };
}

type NewSession = { readonly token: string; readonly devices: readonly string[] | null };

/** Answers with a new session and its token. */
export function welcome(session: NewSession, stage: Stage = "full"): SiteAnswer {
  return json({ stage, methods: [] }, cookieOf(session));
}

export function cookieOf({ token, devices }: NewSession): CookieChange {
  return { token, maxAgeSeconds: SESSION_SECONDS, devices };
}

export function tooMany({ retryAfterSeconds }: Throttled): Fault {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const words = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return fault("too_many_tries", `There were too many tries. Try again in ${words}.`, { retryAfterSeconds });
}

export function weak(field: string, { why }: WeakPassword): Fault {
  return fault("invalid_request", `The password is not accepted: ${why}`, { fields: { [field]: why } });
}

/** Runs work that the reply does not wait for. */
export function later(ctx: Pick<AuthTools, "log">): (work: Promise<unknown>) => void {
  return (work) => {
    work.catch((error: unknown) => ctx.log.error({ err: error }, "work after a reply failed"));
  };
}
