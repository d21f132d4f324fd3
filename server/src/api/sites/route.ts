import type { z } from "zod";
import type { PersonSession } from "../../domain/auth/sessions/find-session.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";

/** A session at the portal or the console. */
export type SiteSession = PersonSession;

/** The input of every handler: the session, the source and the validated input. */
export type Visit<Input, Who> = {
  readonly session: Who;
  readonly input: Input;
  readonly requestId: string;
  /** The source address of the request. */
  readonly address: string;
  readonly userAgent: string;
  /** Tokens that identify the browser from earlier sign-ins. */
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

/** Sets the session cookie, or removes it if the token is null. With `devices` the browser is recognised later. */
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
  /** The path below the site's API. A segment in braces is a parameter, as in `/callbacks/{callback_id}`. */
  readonly path: string;
  /** A description for readers of the route table. */
  readonly does: string;
};

export type PublicRoute<Who extends SiteSession, Input = never> = Common & {
  /** The route is available without a session. */
  readonly who: "anyone";
  readonly input: z.ZodType<Input>;
  readonly handle: (visit: Visit<Input, Who | null>) => Promise<SiteAnswer>;
};

export type MemberRoute<Who extends SiteSession, Input = never> = Common & {
  /** The allowed roles. All others are refused before the handler runs. */
  readonly who: readonly Who["role"][];
  /** For secrets, addresses, URLs, versions and money: requires a proof of identity within the last five minutes. */
  readonly stepUp?: true;
  /** Also available to users who must first set up a second factor. */
  readonly enrolling?: true;
  readonly input: z.ZodType<Input>;
  readonly handle: (visit: Visit<Input, Who>) => Promise<SiteAnswer>;
};

export type SiteRoute<Who extends SiteSession> = PublicRoute<Who> | MemberRoute<Who>;

/** Keeps the handler's types, although the table contains routes of every kind. */
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
