import type { z } from "zod";
import type { Browser } from "../../domain/auth/context.ts";
import type { WeakPassword } from "../../domain/auth/passwords/change-password.ts";
import type { Stage } from "../../domain/auth/sessions/session-store.ts";
import { SESSION_SECONDS } from "../../domain/auth/sessions/start-session.ts";
import type { Throttled } from "../../domain/auth/sessions/throttle.ts";
import { type CookieChange, type SiteCall, WithCookie } from "../sites/actions/action.ts";
import { Refusal } from "../sites/actions/refusal.ts";
import type { AuthTools } from "./context.ts";
import type { signInOutput } from "./outputs.ts";

/** The browser of a request, as stored with a session. */
export function browserOf({
  address,
  userAgent,
  devices,
}: Pick<SiteCall<unknown, unknown, unknown>, "address" | "userAgent" | "devices">): Browser {
  return { address, userAgent, devices };
}

type NewSession = { readonly token: string; readonly devices: readonly string[] | null };

/** Answers with a new session and its token. */
export function welcome(session: NewSession, stage: Stage = "full"): WithCookie<z.output<typeof signInOutput>> {
  return new WithCookie({ stage, methods: [] }, cookieOf(session));
}

export function cookieOf({ token, devices }: NewSession): CookieChange {
  return { token, maxAgeSeconds: SESSION_SECONDS, devices };
}

export function tooMany({ retryAfterSeconds }: Throttled): Refusal {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const words = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return new Refusal("too_many_tries", `There were too many attempts. Try again in ${words}.`, { retryAfterSeconds });
}

export function weak(field: string, { why }: WeakPassword): Refusal {
  return new Refusal("invalid_request", `The password is not accepted: ${why}`, { fields: { [field]: why } });
}

/** Runs work that the reply does not wait for. */
export function later(ctx: Pick<AuthTools, "log">): (work: Promise<unknown>) => void {
  return (work) => {
    work.catch((error: unknown) => ctx.log.error({ err: error }, "work after a reply failed"));
  };
}
