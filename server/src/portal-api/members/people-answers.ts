import type { WeakPassword } from "../../people/change-password.ts";
import type { Method } from "../../people/sign-in.ts";
import { SESSION_SECONDS } from "../../people/start-session.ts";
import type { Throttled } from "../../people/throttle.ts";
import type { PortalContext } from "../context.ts";
import { type Fault, fault, json, type PortalAnswer, type Visit } from "../route.ts";
import type { Session } from "../session.ts";

/** The browser behind a visit, as sessions keep it. */
export function browserOf({ address, userAgent }: Visit<unknown, Session | null>): {
  readonly address: string;
  readonly userAgent: string;
} {
  return { address, userAgent };
}

/** A whole session under a new token. */
export function welcome(token: string, methods: readonly Method[] = []): PortalAnswer {
  return json({ stage: "full", methods: [...methods] }, { token, maxAgeSeconds: SESSION_SECONDS });
}

export function tooMany({ retryAfterSeconds }: Throttled): Fault {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const words = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return fault("too_many_tries", `There were too many tries. Try again in ${words}.`, { retryAfterSeconds });
}

export function weak(field: string, { why }: WeakPassword): Fault {
  return fault("invalid_request", `The password is not taken: ${why}`, { fields: { [field]: why } });
}

/** Work that the answer does not wait for. */
export function later(ctx: Pick<PortalContext, "log">): (work: Promise<unknown>) => void {
  return (work) => {
    work.catch((error: unknown) => ctx.log.error({ err: error }, "what was left to do after an answer failed"));
  };
}
