import type { z } from "zod";
import type { PersonSession } from "../../domain/auth/sessions/find-session.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";

/** Somebody at a site, as their cookie shows. */
export type SiteSession = PersonSession;

/** What every handler is given: who asks, from where, and what they sent, validated. */
export type Visit<Input, Who> = {
  readonly session: Who;
  readonly input: Input;
  readonly requestId: string;
  /** The address the request comes from. */
  readonly address: string;
  readonly userAgent: string;
  /** Tokens by which the browser is known from earlier sign-ins. */
  readonly devices: readonly string[];
  /** The site as the browser sees it, such as https://pay.example. */
  readonly origin: string;
};

export type FaultName =
  | "invalid_request"
  | "unauthorized"
  | "forbidden"
  | "step_up_required"
  | "not_found"
  | "conflict"
  | "too_many_tries"
  | "internal_error"
  | "busy";

export type Fault = {
  readonly kind: "fault";
  readonly error: FaultName;
  readonly message: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly retryAfterSeconds?: number;
};

/** A token becomes the visitor's cookie; null takes the cookie away. With `devices` the browser is known from now on. */
export type CookieChange = {
  readonly token: string | null;
  readonly maxAgeSeconds?: number;
  readonly devices?: readonly string[] | null;
};

export type SiteAnswer =
  | Fault
  | { readonly kind: "json"; readonly body: JsonObject; readonly cookie?: CookieChange }
  | { readonly kind: "file"; readonly name: string; readonly type: string; readonly content: AsyncIterable<string | Uint8Array> }
  /** Server-sent events, until the visitor leaves (the signal) or the iterator ends. */
  | { readonly kind: "events"; readonly events: (left: AbortSignal) => AsyncIterable<JsonObject> };

type Common = {
  readonly method: "GET" | "POST";
  /** Below the site's API; a segment in braces is a parameter, as in `/callbacks/{callback_id}`. */
  readonly path: string;
  /** Shown to readers of the route table only. */
  readonly does: string;
};

export type PublicRoute<Who extends SiteSession, Input = never> = Common & {
  /** Anybody, signed in or not. */
  readonly who: "anyone";
  readonly input: z.ZodType<Input>;
  readonly handle: (visit: Visit<Input, Who | null>) => Promise<SiteAnswer>;
};

export type MemberRoute<Who extends SiteSession, Input = never> = Common & {
  /** The roles that may; all others are refused before the handler sees anything. */
  readonly who: readonly Who["role"][];
  /** Secrets, addresses, URLs, versions, money: who they are must have been proved within five minutes. */
  readonly stepUp?: true;
  /** Also for those who have to set up a second factor before they may do anything else. */
  readonly enrolling?: true;
  readonly input: z.ZodType<Input>;
  readonly handle: (visit: Visit<Input, Who>) => Promise<SiteAnswer>;
};

export type SiteRoute<Who extends SiteSession> = PublicRoute<Who> | MemberRoute<Who>;

/** Keeps the handler's types while the table holds routes of every kind. */
export function publicRoute<Who extends SiteSession, Input>(route: PublicRoute<Who, Input>): SiteRoute<Who> {
  return route as unknown as SiteRoute<Who>;
}

export function memberRoute<Who extends SiteSession, Input>(route: MemberRoute<Who, Input>): SiteRoute<Who> {
  return route as unknown as SiteRoute<Who>;
}

export function fault(error: FaultName, message: string, more: Pick<Fault, "fields" | "retryAfterSeconds"> = {}): Fault {
  return { ...more, kind: "fault", error, message };
}

export function json(body: JsonObject, cookie?: CookieChange): SiteAnswer {
  return cookie === undefined ? { kind: "json", body } : { kind: "json", body, cookie };
}
